import { signingSentence, signingStateOf } from '../domains/own-dkim/signing-state.ts';
import type { OwnKeyRow } from '../domains/own-dkim/store.ts';
import { checkOwnDkimRecord, ownRecord } from '../processes/own-dkim.ts';
import { createLog } from '../runtime/log.ts';
import { CliError, type Command, type CommandAnswer, type CommandContext, EXIT_FAILED } from './command.ts';
import { openKeyRing, withDatabase } from './installation.ts';
import { recordLines } from './record-lines.ts';

export const dkimCommand: Command = {
  name: 'dkim',
  positionals: [],
  required: {},
  optional: {},
  summary: "Show the DKIM record of the installation's own domain, and ask DNS for it now",
  example: 'dkim',
  run: show,
};

async function show({ config, clock }: CommandContext): Promise<CommandAnswer> {
  const domain = config.dkimDomain;
  if (domain === undefined) {
    throw new CliError(
      "POSTRIDER_DKIM_DOMAIN is not set: mail is signed by its sender's domain alone. Set it to a domain of yours, such as that of POSTRIDER_HOSTNAME, for every process and this shell.",
    );
  }
  const key = await withDatabase(config, async (db) => {
    const ring = await openKeyRing(db, config);
    return checkOwnDkimRecord({ config, db, clock, ring, log: createLog('cli', 'silent') }, domain);
  });
  return answerTo(key, config.mode);
}

function answerTo(key: OwnKeyRow, mode: CommandContext['config']['mode']): CommandAnswer {
  const { domain, switches, missing_since, last_check: check, checked_at } = key;
  const state = signingStateOf(key);
  const dns_record = ownRecord(key);
  const signing_from = state === 'waiting' ? null : switches.at(-1);
  return {
    json: { domain, state, signing_from, missing_since, dns_record, check, checked_at },
    lines: [
      mode === 'live'
        ? signingSentence(key)
        : `In the sandbox mail is not signed by ${domain}; live mail is.`,
      '',
      ...recordLines([dns_record]),
      '',
      check?.message ?? '',
    ],
    exitCode: check?.status === 'pass' ? 0 : EXIT_FAILED,
  };
}
