/** Where a person was when they called the command: relative paths are those of that folder. */
import { dirname } from 'node:path';

/** In a workspace npx goes to the folder of its package first, and says in INIT_CWD where it was called. */
export function calledFrom(env: Readonly<Record<string, string | undefined>>, cwd: string): string {
  const { npm_lifecycle_event: event, npm_package_json: manifest, INIT_CWD: from } = env;
  const hasMoved = event === 'npx' && manifest !== undefined && dirname(manifest) === cwd;
  return hasMoved && from !== undefined && from !== '' ? from : cwd;
}
