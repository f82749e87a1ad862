/** Why a command cannot be done, in a sentence for the person who ran it: cardinal.ts prints it and exits with code 1. */
export class CommandProblem extends Error {}
