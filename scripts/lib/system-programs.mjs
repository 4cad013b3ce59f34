/** Programs of the system that some tests use where they are installed. Nothing here installs any. */
import fs from 'node:fs';

/** With the first, browser tests take a quarter less of the processor: it draws no windows that nobody sees. */
const CHROMIUMS = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** By the name of Debian's package; `.ci/run` installs the same. */
const PROGRAMS = {
  'chromium-headless-shell': () => findChromium() !== null,
  composer: () => fs.existsSync('/usr/bin/composer'),
  curl: () => fs.existsSync('/usr/bin/curl'),
  fish: () => fs.existsSync('/usr/bin/fish'),
  'golang-go': () => fs.existsSync('/usr/bin/go'),
  mypy: () => fs.existsSync('/usr/bin/mypy'),
  opendkim: () => fs.existsSync('/usr/sbin/opendkim'),
  'php-cli': () => fs.existsSync('/usr/bin/php'),
  'php-curl': hasPhpCurl,
  phpunit: () => fs.existsSync('/usr/bin/phpunit'),
  postfix: () => fs.existsSync('/usr/sbin/postfix'),
  python3: () => fs.existsSync('/usr/bin/python3'),
  'python3-dkim': () => fs.existsSync('/usr/lib/python3/dist-packages/dkim'),
  ruby: () => fs.existsSync('/usr/bin/ruby'),
  swaks: () => fs.existsSync('/usr/bin/swaks'),
  zsh: () => fs.existsSync('/usr/bin/zsh'),
};

function hasPhpCurl() {
  const versions = fs.existsSync('/etc/php') ? fs.readdirSync('/etc/php') : [];
  return versions.some((version) => fs.existsSync(`/etc/php/${version}/mods-available/curl.ini`));
}

export function findChromium() {
  return CHROMIUMS.find((place) => fs.existsSync(place)) ?? null;
}

/** Debian's names of what is not installed. */
export function missingPrograms() {
  return Object.keys(PROGRAMS).filter((name) => !PROGRAMS[name]());
}
