import { createContext } from 'react'

/** Whether the form around a field is on its way. */
export const Sent = createContext(false)
