import type { Database } from '../database/database.ts';
import { countSealed } from '../operations/secret-keys/reseal.ts';
import { type Rotated, rotateSecretKey, syncTurns } from '../operations/secret-keys/rotate.ts';
import { everUsedIds, liveHolders, retireKey } from '../operations/secret-keys/store.ts';
import type { KeyRing } from '../runtime/key-ring.ts';
import { addKeyToFolder, dropKeyFromFolder } from '../runtime/key-store.ts';
import { type OperatorAction, recordOperatorAction } from './audit.ts';
import {
  CliError,
  type Command,
  type CommandAnswer,
  type CommandContext,
  EXIT_FAILED,
  EXIT_USAGE,
} from './command.ts';
import { openKeyRing, withDatabase } from './installation.ts';
import { table } from './table.ts';

export const secretCommands: readonly Command[] = [
  {
    name: 'secret',
    summary: 'Show the secret keys: when each was first used, and what is encrypted with it',
    example: 'secret',
    run: show,
  },
  {
    name: 'secret rotate',
    optional: { wait: 'SECONDS' },
    summary: 'Rotate the secret key of the running installation; can be interrupted and repeated',
    explains: {
      '--wait': 'the maximum time to wait until every process has read the new key; the default is 30',
    },
    example: 'secret rotate',
    run: (context, _positionals, { wait = '30' }) => rotate(context, wait),
  },
  {
    name: 'secret retire',
    positionals: ['KEY'],
    flags: ['yes'],
    summary: 'Remove a key that encrypts nothing; links in mail that were signed with it stop working',
    explains: {
      KEY: 'the fingerprint of the key, as `npx postrider secret` shows it',
    },
    example: 'secret retire 01ef6ee10158fbca --yes',
    run: (context, [id = ''], { yes }) => retire(context, id, yes !== undefined),
  },
];

interface KeyState {
  readonly id: string;
  /**
   * `retired` keys are no longer used but still stored: in the environment, or because retiring was
   * interrupted.
   */
  readonly state: 'current' | 'next' | 'old' | 'retired';
  readonly used_from: Date | null;
  readonly known_here: boolean;
  readonly sealed_values: number;
}

async function show({ config, clock }: CommandContext): Promise<CommandAnswer> {
  const { keys, holders, unnamed } = await withDatabase(config, async (db) => {
    const ring = await openKeyRing(db, config);
    const unnamed = (await countSealed(db)).get('') ?? 0;
    return { keys: await statesOf(db, ring, clock.nowMs()), holders: await liveHolders(db), unnamed };
  });
  const cells = keys.map((key) => [
    key.id,
    key.state,
    key.used_from === null
      ? '-'
      : key.used_from.getTime() === 0
        ? 'the beginning'
        : key.used_from.toISOString(),
    key.known_here ? 'yes' : 'no',
    String(key.sealed_values),
  ]);
  const processes = holders.map(({ name, key_ids }) => [name, key_ids.join(' ')]);
  return {
    json: { keys, sealed_before_ids: unnamed, processes: holders },
    lines: [
      ...table(['KEY', 'STATE', 'USED FROM', 'KNOWN HERE', 'SEALED VALUES'], cells),
      ...(unnamed > 0 ? [`Encrypted before keys had ids, until the next rotation: ${unnamed}`] : []),
      '',
      ...table(['PROCESS', 'KNOWS'], processes),
    ],
  };
}

async function statesOf(db: Database, ring: KeyRing, nowMs: number): Promise<KeyState[]> {
  const turns = await syncTurns(db, ring);
  const sealed = await countSealed(db);
  const used = await everUsedIds(db);
  const unturned = ring.keys.filter(({ id }) => !turns.some((turn) => turn.id === id));
  const ids = [...turns.map(({ id }) => id), ...unturned.map(({ id }) => id)];
  return ids.map((id) => {
    const fromMs = turns.find((turn) => turn.id === id)?.fromMs;
    return {
      id,
      state: id === ring.current.id ? 'current' : stateOf(fromMs, used.has(id), nowMs),
      used_from: fromMs === undefined ? null : new Date(fromMs),
      known_here: ring.keys.some((key) => key.id === id),
      sealed_values: sealed.get(id) ?? 0,
    };
  });
}

function stateOf(fromMs: number | undefined, wasUsed: boolean, nowMs: number): KeyState['state'] {
  if (fromMs === undefined) return wasUsed ? 'retired' : 'next';
  return fromMs > nowMs ? 'next' : 'old';
}

async function rotate(context: CommandContext, wait: string): Promise<CommandAnswer> {
  const { config, clock, json, say } = context;
  if (!/^\d{1,4}$/.test(wait)) throw new CliError('--wait must be a number of seconds.', EXIT_USAGE);
  const isFile = config.secretKey === undefined;
  const result = await withDatabase(config, async (db) => {
    const rotated = await rotateSecretKey({
      db,
      ring: await openKeyRing(db, config),
      addKey: isFile ? () => addKeyToFolder(config.dataDir) : null,
      say: json ? () => {} : say,
      nowMs: () => clock.nowMs(),
      waitMs: Number(wait) * 1_000,
    });
    if (rotated.kind === 'rotated')
      await recordOperatorAction(db, context, targetFields('secret_key.rotated', rotated.key.id));
    return rotated;
  });
  return answerTo(result, isFile);
}

const HOW_TO_GIVE = [
  '  1. Create a key: openssl rand -base64 32',
  '  2. Add it to POSTRIDER_MORE_SECRET_KEYS (separated by spaces) of every process and of this shell.',
  '     Leave POSTRIDER_SECRET_KEY as it is. Restart the processes, one after the other.',
  '  3. Run `npx postrider secret rotate` again.',
];

function answerTo(result: Rotated, isFile: boolean): CommandAnswer {
  if (result.kind === 'no_new_key') {
    const lines = ['The keys come from the environment, which has no new key yet.', ...HOW_TO_GIVE];
    return { json: { rotated: false, reason: 'no_new_key' }, lines, exitCode: EXIT_FAILED };
  }
  const key = result.key.id;
  if (result.kind === 'not_held') {
    const what = isFile
      ? 'Give them the same secret-key file, then run the command again.'
      : 'Give them the same POSTRIDER_MORE_SECRET_KEYS, restart them, then run the command again.';
    const lines = [
      `Nothing was changed: these processes cannot read ${key} yet.`,
      ...result.by.map((one) => `  ${one}`),
      what,
    ];
    return {
      json: { rotated: false, reason: 'not_held', key, missing: result.by },
      lines,
      exitCode: EXIT_FAILED,
    };
  }
  const { done, problems } = result.resealed;
  return {
    json: { rotated: problems.length === 0, key, resealed: done, problems },
    lines: [
      `${key} is the current key; ${done} values were re-encrypted.`,
      ...problems.map((problem) => `Not changed: ${problem}`),
      'Keep the old key: links and bounces of mail already sent need it. `npx postrider secret` shows all keys.',
    ],
    ...(problems.length > 0 ? { exitCode: EXIT_FAILED } : {}),
  };
}

async function retire(context: CommandContext, id: string, sure: boolean): Promise<CommandAnswer> {
  const { config, clock } = context;
  await withDatabase(config, async (db) => {
    const ring = await openKeyRing(db, config);
    const key = (await statesOf(db, ring, clock.nowMs())).find((one) => one.id === id);
    if (key === undefined)
      throw new CliError(`There is no key ${id}. \`npx postrider secret\` lists the keys.`);
    if (key.state === 'current' || key.state === 'next')
      throw new CliError(`${id} is the ${key.state} key. Only an old key can be retired.`);
    const sealed = await countSealed(db);
    if (key.sealed_values > 0 || sealed.has('')) {
      throw new CliError(
        'Values are still encrypted with this key. Run `npx postrider secret rotate` first.',
      );
    }
    if (!sure) {
      throw new CliError(
        `Unsubscribe links, pixels and return paths in all mail made with ${id} stop working permanently. Add --yes to confirm.`,
      );
    }
    await retireKey(db, id);
    await recordOperatorAction(db, context, targetFields('secret_key.retired', id));
    if (config.secretKey === undefined) dropKeyFromFolder(config.dataDir, id);
  });
  const rest =
    config.secretKey === undefined
      ? 'Running processes stop using the key within seconds.'
      : 'Now remove the key from POSTRIDER_SECRET_KEY or POSTRIDER_MORE_SECRET_KEYS everywhere: POSTRIDER_SECRET_KEY may be any of the remaining keys.';
  return { json: { id, retired: true }, lines: [`Retired ${id}.`, rest] };
}

function targetFields(action: string, keyId: string): OperatorAction {
  return { action, organizationId: null, targetId: keyId };
}
