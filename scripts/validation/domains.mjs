// Disposable domains in two tiers, by agreement between lists, and mail providers.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { parse } from 'tldts';

const require = createRequire(import.meta.url);
const fileOf = (name) => fs.readFileSync(require.resolve(name), 'utf8');

/** One voice each. `disposable-domains` continues disposable-email-domains and holds it whole, so that one is not asked. */
export const VOICES = {
  'disposable-email-domains-js': () =>
    require('disposable-email-domains-js/dist/dict/disposable_email_blocklist.json'),
  fakefilter: () =>
    fileOf('fakefilter/txt/data.txt')
      .split(/\r?\n/)
      .filter((line) => line !== '' && !line.startsWith('#')),
  mailchecker: () => [...require('mailchecker').blacklist()],
  'burner-email-providers': () => fileOf('burner-email-providers/emails.txt').split(/\s+/),
  'disposable-domains': () => require('disposable-domains/index.json'),
};
/** Kept with care (no public suffixes, reviewed) or seen at work: one of these is enough. */
const TRUSTED = ['disposable-email-domains-js', 'fakefilter'];
const ENOUGH_VOICES = 3;

/** Registries that give names to schools and authorities only; elsewhere anybody can have an "edu" name. */
const STRICT =
  /\.(?:edu|gov|mil|int|ac\.(?:uk|jp|kr|at|be|il|in|nz|za)|edu\.(?:sg|au|hk|cn|tw|br|my)|gov\.(?:uk|au|sg|in|br))$/;

export function buildDomainLists(curated, { isSpecialUse, suggestDomain, placeOf, typoTarget }) {
  const known = curatedProviders(curated('providers.txt'));
  const typos = new Map(pairs(curated('typos.txt')));
  const targets = words(curated('typo-targets.txt'));
  const sources = Object.entries(VOICES).map(([name, load]) => [
    name,
    new Set(load().map(canonical).filter(isDomain)),
  ]);
  const isOurs = (domain) =>
    !isPublicSuffix(domain) &&
    !isSpecialUse(domain) &&
    !STRICT.test(domain) &&
    !typos.has(domain) &&
    !known.has(domain);
  const disposable = [];
  const suspected = [];
  for (const domain of [...new Set(sources.flatMap(([, set]) => [...set]))].sort()) {
    if (!isOurs(domain)) continue;
    const voices = sources.filter(([, set]) => set.has(domain)).map(([name]) => name);
    const sure = voices.length >= ENOUGH_VOICES || voices.some((name) => TRUSTED.includes(name));
    (sure ? disposable : suspected).push(domain);
  }
  const covered = withoutCovered(disposable, suspected, (domain) => placeOf(domain).names.slice(1));
  const listed = new Set([...covered.disposable, ...covered.suspected]);
  const belowListed = (domain) => placeOf(domain).names.some((name) => listed.has(name));
  const lists = { providers: known, typos: { known: typos, targets: targets.map(typoTarget) } };
  const real = JSON.parse(fileOf('email-providers/all.json'))
    .map(canonical)
    .filter((domain) => isDomain(domain) && isOurs(domain) && !belowListed(domain))
    // A squatter's misspelling of a provider is on such lists too.
    .filter((domain) => suggestDomain(placeOf(domain), lists)?.domain === undefined);
  const providers = [...known, ...[...new Set(real)].map((domain) => [domain, 'free'])]
    .map(([domain, type]) => `${domain} ${type}`)
    .sort();
  const sourceCounts = Object.fromEntries(sources.map(([name, set]) => [name, set.size]));
  return { ...covered, providers, sourceCounts };
}

/** Parents are matched at run time, so what stands below a listed domain need not be listed. */
function withoutCovered(disposable, suspected, parentsOf) {
  const first = new Set(disposable);
  const either = new Set([...disposable, ...suspected]);
  return {
    disposable: disposable.filter((domain) => !parentsOf(domain).some((name) => first.has(name))),
    suspected: suspected.filter((domain) => !parentsOf(domain).some((name) => either.has(name))),
  };
}

function curatedProviders(text) {
  const known = new Map();
  let type;
  for (const line of text.split('\n').filter((one) => one !== '' && !one.startsWith('#'))) {
    const section = /^\[(\w+)\]$/.exec(line)?.[1];
    if (section !== undefined) type = section === 'other' ? 'corporate' : section;
    else for (const domain of line.split(' ')) known.set(domain, type);
  }
  return known;
}

function words(text) {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .flatMap((line) => line.split(' '));
}

function pairs(text) {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(' '));
}

function canonical(domain) {
  return String(domain).trim().toLowerCase().replace(/\.$/, '');
}

function isDomain(domain) {
  return (
    domain.length <= 253 &&
    /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]+)$/.test(domain)
  );
}

function isPublicSuffix(domain) {
  return parse(domain, { allowPrivateDomains: true, validateHostname: false }).domain === null;
}
