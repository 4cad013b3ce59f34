/** How often the checks are right, next to the packages people use for the same questions, on labelled data. */
import { readFileSync } from 'node:fs';
import type { Address } from '../src/protocols/message/address.ts';
import type { BenchResult, Progress } from './support/bench.ts';
import { built } from './support/built.ts';
import { requirePackage } from './support/peers.ts';
import { number } from './support/table.ts';

export const title = 'Accuracy of address validation on labelled data (bench/labelled)';
export const claim =
  'on held-out data: every syntax case right, false positives of disposable and typo at most 0.5 %, at least 92 % of typos found, at least 95 % of random local parts found with 1 % false positives';

/** How many of the positives were found, how many of the negatives were taken for positives. */
interface Score {
  readonly check: string;
  readonly who: string;
  readonly data: 'tuned on' | 'held out';
  readonly found: number;
  readonly positives: number;
  readonly wrong: number;
  readonly negatives: number;
}

export async function run(progress: Progress): Promise<BenchResult> {
  const ours = await loadOurs();
  const peers = await loadPeers();
  progress('syntax');
  const syntax = scoreSyntax(ours, peers);
  progress('typo');
  const typo = [...scoreTypos('tuned', ours, peers), ...scoreTypos('held-out', ours, peers)];
  progress('disposable, role, random');
  const disposable = scoreDisposable(ours, peers);
  const role = scoreRoles(ours);
  const random = scoreRandom(ours);
  return report([...syntax, ...typo, ...disposable, ...role, ...random]);
}

type Ours = Awaited<ReturnType<typeof loadOurs>>;
type Peers = Awaited<ReturnType<typeof loadPeers>>;

async function loadOurs() {
  const { parseAddress } =
    await built<typeof import('../src/protocols/message/address.ts')>('protocols/message/address');
  const { loadLists } = await built<typeof import('../src/validation/lists.ts')>('validation/lists');
  const { suggestDomain } =
    await built<typeof import('../src/validation/checks/typo.ts')>('validation/checks/typo');
  const { placeOf } = await built<typeof import('../src/validation/lists.ts')>('validation/lists');
  const checks = 'validation/checks';
  const { checkDisposable } = await built<typeof import('../src/validation/checks/disposable.ts')>(
    `${checks}/disposable`,
  );
  const { checkRole } = await built<typeof import('../src/validation/checks/role.ts')>(`${checks}/role`);
  const { checkRandom } = await built<typeof import('../src/validation/checks/random.ts')>(
    `${checks}/random`,
  );
  const lists = loadLists();
  const nothing = { allow: new Set<string>(), deny: new Set<string>() };
  const addressOf = (local: string) => parseAddress(`${local}@corp.com`) as Address;
  return {
    isAddress: (email: string) => parseAddress(email).ok,
    suggest: (domain: string) => suggestDomain(placeOf(domain), lists)?.domain ?? null,
    disposable: (domain: string) => checkDisposable(placeOf(domain), lists, nothing),
    role: (local: string) => checkRole(addressOf(local), lists).status,
    random: (local: string) => checkRandom(addressOf(local), lists.random).status,
  };
}

async function loadPeers() {
  const { default: mailcheck } = await requirePackage(() => import('mailcheck'), 'mailcheck', 'npm ci');
  const { default: mailchecker } = await requirePackage(() => import('mailchecker'), 'mailchecker', 'npm ci');
  const { default: isEmail } = await requirePackage(
    () => import('validator/lib/isEmail.js'),
    'validator',
    'npm ci',
  );
  const { default: isemail } = await requirePackage(() => import('isemail'), 'isemail', 'npm ci');
  const zootools = await requirePackage(
    () => import('@zootools/email-spell-checker'),
    '@zootools/email-spell-checker',
    'npm ci',
  );
  const disposableJs = await requirePackage(
    () => import('disposable-email-domains-js'),
    'disposable-email-domains-js',
    'npm ci',
  );
  const suggestedBy = (domain: string) => {
    let meant: string | null = null;
    mailcheck.run({
      email: `jane@${domain}`,
      suggested: (suggestion) => {
        meant = suggestion.domain;
      },
    });
    return meant;
  };
  return {
    syntax: {
      validator: (email: string) => refusesByThrowing(() => isEmail(email)),
      isemail: (email: string) => isemail.validate(email),
      mailchecker: (email: string) => mailchecker.isValid(email),
    },
    typo: {
      mailcheck: suggestedBy,
      '@zootools': (domain: string) => zootools.run({ email: `jane@${domain}` })?.domain ?? null,
    },
    disposable: {
      mailchecker: (domain: string) => !mailchecker.isValid(`jane@${domain}`),
      'disposable-email-domains-js': (domain: string) => disposableJs.isDisposableEmailDomain(domain),
    },
  };
}

/** Half a surrogate pair makes validator throw, which refuses it as well. */
function refusesByThrowing(accepts: () => boolean): boolean {
  try {
    return accepts();
  } catch {
    return false;
  }
}

function scoreSyntax(ours: Ours, peers: Peers): Score[] {
  const cases = JSON.parse(file('syntax.json')) as { email: string; valid: boolean }[];
  const [good, bad] = [cases.filter((one) => one.valid), cases.filter((one) => !one.valid)];
  return Object.entries({ postrider: ours.isAddress, ...peers.syntax }).map(([who, accepts]) => ({
    check: 'syntax (refusing what is wrong)',
    who,
    data: 'tuned on',
    found: bad.filter((one) => !accepts(one.email)).length,
    positives: bad.length,
    wrong: good.filter((one) => !accepts(one.email)).length,
    negatives: good.length,
  }));
}

function scoreTypos(set: 'tuned' | 'held-out', ours: Ours, peers: Peers): Score[] {
  const pairs = file(`typos-${set}.txt`)
    .trim()
    .split('\n')
    .map((line) => line.split(' ') as [string, string]);
  const real = words(set === 'tuned' ? 'providers-tuned.txt' : 'domains-held-out.txt');
  return Object.entries({ postrider: ours.suggest, ...peers.typo }).map(([who, suggest]) => ({
    check: 'typo (the very domain that was meant)',
    who,
    data: set === 'tuned' ? 'tuned on' : 'held out',
    found: pairs.filter(([typed, meant]) => suggest(typed) === meant).length,
    positives: pairs.length,
    wrong: real.filter((domain) => suggest(domain) !== null).length,
    negatives: real.length,
  }));
}

function scoreDisposable(ours: Ours, peers: Peers): Score[] {
  const services = words('disposable-held-out.txt');
  const isDisposable = (domain: string) => ours.disposable(domain).status === 'fail';
  const isListed = (domain: string) => {
    const { status, reason } = ours.disposable(domain);
    return status === 'fail' || reason === 'suspected';
  };
  const contestants = { postrider: isDisposable, 'postrider, with suspects': isListed, ...peers.disposable };
  return (['providers-tuned.txt', 'domains-held-out.txt'] as const).flatMap((name) => {
    const real = words(name);
    return Object.entries(contestants).map(
      ([who, listed]): Score => ({
        check: 'disposable',
        who,
        data: name === 'providers-tuned.txt' ? 'tuned on' : 'held out',
        found: services.filter(listed).length,
        positives: services.length,
        wrong: real.filter(listed).length,
        negatives: real.length,
      }),
    );
  });
}

function scoreRoles({ role }: Ours): Score[] {
  const cases = file('roles-held-out.txt')
    .trim()
    .split('\n')
    .map((line) => line.split(' ') as [string, string]);
  const of = (kind: string) => cases.filter((one) => one[1] === kind).map(([local]) => local);
  const people = of('people');
  const score = (check: string, kind: string, status: string): Score => ({
    check,
    who: 'postrider',
    data: 'held out',
    found: of(kind).filter((local) => role(local) === status).length,
    positives: of(kind).length,
    wrong: people.filter((local) => role(local) === status).length,
    negatives: people.length,
  });
  return [score('role', 'role', 'warn'), score('role (unread)', 'unread', 'fail')];
}

/** Where it cannot be told is neither found nor wrong. */
function scoreRandom({ random }: Ours): Score[] {
  const judged = (locals: readonly string[]) =>
    locals.map((local) => random(local)).filter((status) => status !== 'unknown');
  const doubted = (statuses: readonly string[]) => statuses.filter((status) => status !== 'pass').length;
  const people = judged(words('local-parts-people.txt'));
  const handles = judged(words('handles-held-out.txt'));
  const kinds = new Map<string, string[]>();
  for (const line of file('local-parts-machines.txt').trim().split('\n')) {
    const [local = '', ...kind] = line.split(' ');
    kinds.set(kind.join(' '), [...(kinds.get(kind.join(' ')) ?? []), local]);
  }
  const score = (check: string, positives: readonly string[], negatives: readonly string[]): Score => ({
    check,
    who: 'postrider',
    data: 'held out',
    found: doubted(positives),
    positives: positives.length,
    wrong: doubted(negatives),
    negatives: negatives.length,
  });
  const plain = [...kinds].filter(([kind]) => kind !== 'pronounceable');
  return [
    score(RANDOM, judged(plain.flatMap(([, locals]) => locals)), people),
    ...[...kinds].map(([kind, locals]) => score(`random: ${kind}`, judged(locals), [])),
    score('random, against nicknames', [], handles),
  ];
}

const RANDOM = 'random (all but pronounceable)';

function report(scores: readonly Score[]): BenchResult {
  const percent = (part: number, whole: number) =>
    whole === 0 ? '' : `${number((100 * part) / whole, 1)} %`;
  const rows = scores.map((one) => [
    one.check,
    one.who,
    one.data,
    percent(one.found, one.positives),
    String(one.positives || ''),
    percent(one.wrong, one.negatives),
    String(one.negatives || ''),
  ]);
  const parts = scores.filter((one) => one.who === 'postrider').flatMap(marginsOf);
  return {
    ratio: Math.min(...parts),
    target: 1,
    table: { columns: ['check', 'who', 'data', 'found', 'of', 'wrongly found', 'of'], rows },
    figures: Object.fromEntries(
      scores
        .filter((one) => one.who === 'postrider' && one.data === 'held out')
        .map((one) => [
          one.check,
          `${percent(one.found, one.positives)} / ${percent(one.wrong, one.negatives)}`,
        ]),
    ),
  };
}

/** At least 1 where the target is met. */
function marginsOf({ check, data, found, positives, wrong, negatives }: Score): number[] {
  const atLeast = (share: number) => found / positives / share;
  const atMost = (share: number) => (wrong <= share * negatives ? 1 : (share * negatives) / wrong);
  if (check.startsWith('syntax')) return [atLeast(1), atMost(0)];
  if (check.startsWith('typo')) return [atLeast(0.92), atMost(data === 'tuned on' ? 0 : 0.005)];
  if (check === 'disposable') return [atMost(data === 'tuned on' ? 0 : 0.005)];
  if (check === RANDOM) return [atLeast(0.95), atMost(0.01)];
  return [];
}

function file(name: string): string {
  return readFileSync(new URL(`./labelled/${name}`, import.meta.url), 'utf8');
}

function words(name: string): string[] {
  return file(name).trim().split(/\s+/);
}
