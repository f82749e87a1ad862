import './command.css'

/** What the operator types on the server, on lines of its own. */
export const Command = ({ children }: { children: string }) => <code className="command">{children}</code>
