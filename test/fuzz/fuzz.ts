/**
 * Asks the API for everything it says it does, in good faith and in bad, as everybody it knows, and holds every answer
 * against what is promised: no 5xx, no hang, errors in the envelope, answers as the document describes them, nothing
 * of one organization in an answer to another, no request that holds the event loop.
 */
import { ask, emptyReport, type FuzzOptions, type FuzzReport, note } from './ask.ts';
import { parsed, problemOf } from './check.ts';
import type { Operation } from './document.ts';
import type { Caller, FuzzFixture, FuzzOrganization } from './fixture.ts';
import { type AskedRequest, HeldLoops } from './held-loop.ts';
import { sweep } from './isolation.ts';
import { MemoryWatch } from './memory.ts';
import { Random } from './random.ts';
import { problemOfRaw, RAW_REQUESTS } from './raw-http.ts';
import { makeRequest, pickOperation, TEMPERS, type Temper } from './request.ts';

const AT_ONCE = 12;
/** After so many it is looked at which of them held the event loop. */
const ROUND = 200;
const MAX_PROBLEMS = 40;
/** Of requests that no HTTP client would send. */
const RAW_SHARE = 0.02;
/** Of a hundred requests. */
const TEMPER_SHARE: readonly Temper[] = [
  ...Array<Temper>(40).fill('valid'),
  ...Array<Temper>(30).fill('nearly valid'),
  ...Array<Temper>(30).fill('hostile'),
];

export async function fuzz(fixture: FuzzFixture, given: FuzzOptions): Promise<FuzzReport> {
  const report = emptyReport();
  const memory = new MemoryWatch(fixture.url);
  const until = Date.now() + given.forMs;
  const held = new HeldLoops(fixture, given);
  const options = { ...given, onAsked: (asked: AskedRequest) => held.add(asked) };
  const { least = 0 } = options;
  let next = 0;
  const isOver = () => (Date.now() >= until && next >= least) || report.problems.length >= MAX_PROBLEMS;
  while (!isOver()) {
    const roundEnd = next + ROUND;
    const asking = async () => {
      while (next < roundEnd && !isOver()) {
        const number = next;
        next += 1;
        await askOnce(fixture, number, options, report);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, asking));
    await held.examine(report);
    if (next % (10 * ROUND) === 0) options.progress?.(`${next} requests`);
  }
  memory.stop();
  report.memory = memory.kept;
  await sweep(fixture, options, report);
  await held.examine(report);
  return report;
}

async function askOnce(
  fixture: FuzzFixture,
  number: number,
  options: FuzzOptions,
  report: FuzzReport,
): Promise<void> {
  const random = new Random(options.seed + number);
  const planned = plannedFor(fixture, number, random);
  if (!planned && random.chance(RAW_SHARE)) return askRaw(fixture, random, options, report);
  await askFor(fixture, planned ?? choose(fixture, random), random, options, report);
}

interface Choice {
  readonly organization: FuzzOrganization;
  readonly caller: Caller;
  readonly operation: Operation;
  readonly temper: Temper;
}

/** At first everything in every temper with the key that gets furthest, so that a short run leaves nothing out. */
function plannedFor(fixture: FuzzFixture, number: number, random: Random): Choice | null {
  const { operations } = fixture.api;
  const operation = operations[number % operations.length];
  const temper = TEMPERS[Math.floor(number / operations.length)];
  const organization = random.pick(fixture.organizations);
  const [caller] = organization.callers;
  return operation && temper && caller ? { organization, caller, operation, temper } : null;
}

function choose(fixture: FuzzFixture, random: Random): Choice {
  const organization = random.pick(fixture.organizations);
  const caller = random.chance(0.03) ? NOBODY : pickCaller(organization, random);
  const operation = pickOperation(operationsFor(fixture, caller), random);
  return { organization, caller, operation, temper: random.pick(TEMPER_SHARE) };
}

async function askFor(
  fixture: FuzzFixture,
  { organization, caller, operation, temper }: Choice,
  random: Random,
  options: FuzzOptions,
  report: FuzzReport,
): Promise<void> {
  const foreign = fixture.organizations.find((one) => one !== organization) ?? organization;
  const request = makeRequest(operation, temper, {
    random,
    api: fixture.api,
    domain: organization.domain,
    mark: organization.mark,
    idOf: (noun) => organization.ids.pick(noun, random),
  });
  report.asked.add(`${operation.name} ${temper}`);
  const answer = await ask(fixture, request, caller, options, report);
  if (answer === null) return;
  const problem = problemOf(fixture.api, request, answer, foreign.mark);
  if (problem !== null) note(fixture, report, request, caller, problem);
  else if (answer.status < 300) organization.ids.learn(operation, parsed(answer.text));
}

const NOBODY: Caller = {
  kind: 'nobody',
  headers: { authorization: 'Bearer pr_nobody_knows_this_key_0123456789' },
};

function pickCaller(organization: FuzzOrganization, random: Random): Caller {
  const [full] = organization.callers;
  return full && random.chance(0.5) ? full : random.pick(organization.callers);
}

/** Ends the session that it is asked with, or changes what it takes to get the next. */
const ENDS_SESSION = /^\/auth\/(sign-out|password|totp|organization)|^POST \/auth\/sign-in/;

function operationsFor(fixture: FuzzFixture, { kind }: Caller) {
  const { operations } = fixture.api;
  return kind === 'owner' ? operations.filter(({ path }) => !ENDS_SESSION.test(path)) : operations;
}

async function askRaw(
  { url }: FuzzFixture,
  random: Random,
  { limitMs }: FuzzOptions,
  report: FuzzReport,
): Promise<void> {
  const text = random.pick(RAW_REQUESTS);
  const problem = await problemOfRaw(url, text, limitMs);
  report.raw += 1;
  if (problem !== null) report.problems.push(`${JSON.stringify(text.slice(0, 200))}: ${problem}`);
}
