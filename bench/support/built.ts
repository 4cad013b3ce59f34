/**
 * Imports the compiled module under dist/ for a path under src/, because benches measure the code that runs in production. The
 * type comes from the source: `built<typeof import('../src/protocols/message/compose.ts')>('protocols/message/compose')`.
 */
export async function built<T>(module: string): Promise<T> {
  return (await import(new URL(`../../dist/${module}.js`, import.meta.url).href)) as T;
}
