/** A sentence for the operator; the process prints it and exits with code 1. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure'
}
