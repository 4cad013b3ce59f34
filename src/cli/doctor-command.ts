import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { checkSchema } from '../database/migrate.ts';
import { ALL_CHECKS, QUICK_CHECKS } from '../doctor/checks.ts';
import { countLevels } from '../doctor/examine.ts';
import {
  type DoctorFinding,
  type FindingGroup,
  groupFindings,
  LEVELS,
  type Level,
} from '../doctor/finding.ts';
import { noteKeyCopy } from '../doctor/machine/secret-key.ts';
import type { OpenCells } from '../processes/cells.ts';
import { runDoctor } from '../processes/doctor-runs.ts';
import { packageVersion } from '../processes/package-version.ts';
import type { Config } from '../runtime/config.ts';
import { hasKeys } from '../runtime/key-store.ts';
import { CliError, type Command, type CommandAnswer, type CommandContext, EXIT_FAILED } from './command.ts';
import { explainError, openDatabase } from './installation.ts';

export const doctorCommand: Command = {
  name: 'doctor',
  optional: { 'key-copy': 'FILE' },
  flags: ['quick'],
  summary:
    'Check everything that mail depends on, and show how to fix each problem; --key-copy checks your copy of the secret key',
  explains: {
    '--key-copy': 'your copy of the secret key, to check that it is the right one',
    '--quick': 'check only DNS, the disk and the database',
  },
  example: 'doctor --quick',
  run: doctor,
};

/** Needs no running process, because it is also used before the first start. */
async function doctor(
  { config, clock }: CommandContext,
  _positionals: readonly string[],
  { quick, 'key-copy': copy }: Readonly<Record<string, string | undefined>>,
): Promise<CommandAnswer> {
  if (copy !== undefined) await showCopy(config, copy);
  const checks = quick === undefined ? ALL_CHECKS : QUICK_CHECKS;
  const opened = await openOrWhyNot(config);
  try {
    const db = typeof opened === 'string' ? opened : opened.db;
    const findings = await runDoctor(checks, { config, clock, db });
    return answerWith(findings, config, clock.nowMs());
  } finally {
    if (typeof opened !== 'string') await opened.close();
  }
}

async function showCopy(config: Config, file: string): Promise<void> {
  if (!hasKeys(config))
    throw new CliError('There is no secret key yet. The first start creates the key: npx postrider start');
  const copy = await readFile(file, 'utf8').catch((error: Error) => {
    throw new CliError(`The copy cannot be read: ${error.message}.`);
  });
  const missing = await noteKeyCopy(config, copy);
  if (missing.length === 0) return;
  throw new CliError(
    `${file} is not a copy of the secret key: it does not hold the key ${missing.join(', ')}.`,
  );
}

async function openOrWhyNot(config: Config): Promise<OpenCells | string> {
  let opened: OpenCells | undefined;
  try {
    opened = await openDatabase(config);
    await checkSchema(opened.db);
    await opened.directory?.start();
    return opened;
  } catch (error) {
    await opened?.close();
    return (error instanceof CliError ? error : explainError(error, config)).message;
  }
}

function answerWith(findings: readonly DoctorFinding[], config: Config, nowMs: number): CommandAnswer {
  const counts = countLevels(findings);
  const groups = groupFindings(findings);
  const sorted = groups.toSorted((a, b) => LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level));
  return {
    json: {
      machine: hostname(),
      version: packageVersion(),
      host: config.hostname,
      mode: config.mode,
      data_dir: config.dataDir,
      settings_from: config.settingsFrom,
      examined_at: new Date(nowMs),
      counts,
      findings,
    },
    lines: [examinedLine(config), '', ...sorted.flatMap(linesOf), '', summaryOf(countLevels(groups))],
    exitCode: counts.bad > 0 ? EXIT_FAILED : 0,
  };
}

/** Shows which installation is examined, in case the command was typed in the wrong folder. */
function examinedLine({ hostname: host, mode, dataDir, settingsFrom }: Config): string {
  const settings = ['the environment', ...settingsFrom].join(', ');
  return `Examined: ${host} (${mode}), Postrider ${packageVersion()}, data folder ${dataDir}, settings from ${settings}.`;
}

const LEVEL_WIDTH = 9;
const CHECK_WIDTH = 16;

/** A finding without problems takes one line. */
function linesOf({ level, check, seen, why, fix, also }: FindingGroup): string[] {
  const first = `${level.padEnd(LEVEL_WIDTH)}${check.padEnd(CHECK_WIDTH - 1)} ${seen}`;
  const more = (label: string, text: string) =>
    `${' '.repeat(LEVEL_WIDTH)}${label.padEnd(CHECK_WIDTH)}${text}`;
  const others = also.length === 0 ? [] : [more('  also', also.join(', '))];
  if (level === 'ok') return [first, ...others];
  return [first, ...others, more('  why', why), ...(fix === null ? [] : [more('  fix', fix)])];
}

function summaryOf({ bad, warn, unknown, ok }: Record<Level, number>): string {
  return `${bad} bad, ${warn} warn, ${unknown} unknown, ${ok} ok.`;
}
