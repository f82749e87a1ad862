/** The colors that new things take in turn; neighbors differ clearly, and red comes last because it also means danger. */
export const hues = ['blue', 'violet', 'green', 'amber', 'teal', 'pink', 'orange', 'red']
