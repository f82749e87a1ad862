import './command.css'

/** A command to type on the server. */
export const Command = ({ children }: { children: string }) => <code className="command">{children}</code>
