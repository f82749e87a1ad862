/** The result of a file operation, or undefined if the file does not exist. */
export async function unlessMissing<Found>(operation: Promise<Found>): Promise<Found | undefined> {
  try {
    return await operation
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
