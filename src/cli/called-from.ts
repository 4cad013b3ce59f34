/** The folder in which the user called the command: relative paths start there. */
import { dirname } from 'node:path';

/** In a workspace npx changes to the package's folder, and sets INIT_CWD to the original one. */
export function calledFrom(env: Readonly<Record<string, string | undefined>>, cwd: string): string {
  const { npm_lifecycle_event: event, npm_package_json: manifest, INIT_CWD: from } = env;
  const hasMoved = event === 'npx' && manifest !== undefined && dirname(manifest) === cwd;
  return hasMoved && from !== undefined && from !== '' ? from : cwd;
}
