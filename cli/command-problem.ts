/** The reason why a command failed, as a message: cardinal.ts prints it and exits with code 1. */
export class CommandProblem extends Error {}
