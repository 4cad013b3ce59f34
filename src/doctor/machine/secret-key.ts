/**
 * Whether the secret key would survive the loss of this machine. Copies elsewhere are not visible from here,
 * so an operator shows a copy once (`doctor --key-copy FILE`), and the ids of its keys are stored in the data
 * folder: never the keys.
 */
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../runtime/config.ts';
import { hasKeys, keyFileOf, keyIdsIn, loadKeyRing } from '../../runtime/key-store.ts';
import { doctorCheck } from '../doctor-check.ts';
import { CheckInconclusive, type Observation } from '../finding.ts';

interface SecretKeyFacts {
  /** Null when the key comes from the environment. */
  readonly file: { readonly path: string; readonly isOpenToOthers: boolean } | null;
  readonly ids: readonly string[];
  readonly noted: readonly string[];
}

const NOTE = 'secret-key-copied';

type KeyPlaces = Pick<Config, 'secretKey' | 'moreSecretKeys' | 'dataDir'>;

export const secretKeyCheck = doctorCheck({
  name: 'secret_key',
  isQuick: true,
  matters:
    'Without the secret key, a backup of the database is of little use: DKIM keys, webhook secrets, second factors, passwords of relays, keys of certificates and ACME accounts, and the key for hashes of erased addresses cannot be decrypted, and links in sent mail stop working.',
  gather: ({ config }) => gatherSecretKey(config),
  judge: judgeSecretKey,
});

async function gatherSecretKey(config: KeyPlaces): Promise<SecretKeyFacts> {
  if (!hasKeys(config))
    throw new CheckInconclusive('There is no secret key yet.', 'The first start creates it.');
  const path = keyFileOf(config.dataDir);
  const inFile = config.secretKey === undefined;
  const file = inFile ? { path, isOpenToOthers: ((await stat(path)).mode & 0o077) !== 0 } : null;
  return { file, ids: idsOf(config), noted: await readNote(config.dataDir) };
}

function idsOf(config: KeyPlaces): string[] {
  return loadKeyRing(config).keys.map(({ id }) => id);
}

async function readNote(dataDir: string): Promise<string[]> {
  const text = await readFile(join(dataDir, NOTE), 'utf8').catch(() => '');
  return text.split('\n').filter((line) => line !== '');
}

/** Records that this text is a copy kept elsewhere. Returns the ids of keys missing in it. */
export async function noteKeyCopy(config: KeyPlaces, copy: string): Promise<string[]> {
  const ids = idsOf(config);
  const copied = new Set(keyIdsIn(copy));
  const missing = ids.filter((id) => !copied.has(id));
  if (missing.length === 0)
    await writeFile(join(config.dataDir, NOTE), `${ids.join('\n')}\n`, { mode: 0o600 });
  return missing;
}

function judgeSecretKey({ file, ids, noted }: SecretKeyFacts): Observation[] {
  const open: Observation[] = file?.isOpenToOthers
    ? [
        {
          level: 'bad',
          seen: `Other users can read ${file.path}.`,
          why: 'With the secret key, another user can read the secrets in the database, and forge return paths and unsubscribe links.',
          fix: `chmod 600 ${file.path}`,
        },
      ]
    : [];
  return [...open, judgeCopy({ file, ids, noted })];
}

function judgeCopy({ file, ids, noted }: SecretKeyFacts): Observation {
  const missing = ids.filter((id) => !noted.includes(id));
  if (missing.length === 0)
    return {
      level: 'ok',
      seen: `A copy of the secret key (${ids.join(', ')}) exists elsewhere; you have shown it to the doctor.`,
    };
  const which =
    missing.length === ids.length
      ? 'the secret key'
      : `the secret key ${missing.join(', ')}, which is newer than the copy`;
  if (file === null) {
    const seen = `Whether a copy of ${which} exists elsewhere is not known: the key comes from POSTRIDER_SECRET_KEY.`;
    return {
      level: 'unknown',
      seen,
      fix: 'Keep a copy that survives the loss of this machine, and show the copy once: npx postrider doctor --key-copy FILE',
    };
  }
  const seen = `No copy of ${which} is known: the key is in ${file.path} and perhaps nowhere else.`;
  return {
    level: 'warn',
    seen,
    fix: `Copy ${file.path} to a place that survives the loss of this machine, and show the copy once: npx postrider doctor --key-copy FILE`,
  };
}
