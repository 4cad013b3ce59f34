/** Finds words of a list in files. Pure. */

/** Old names, as whole words. */
export function identifierHits(files, identifiers) {
  const names = Object.keys(identifiers);
  if (names.length === 0) return [];
  const pattern = new RegExp(`(?<![\\w$/-])(?:${names.join('|')})(?![\\w$-])`, 'g');
  return files.flatMap((file) =>
    hitsIn(file, pattern).map((hit) => ({ ...hit, use: identifiers[hit.word] })),
  );
}

/** One message for each occurrence of a phrase that occurs more often than is allowed in the area. */
export function phraseHits(files, phrases, area) {
  return phrases
    .filter(({ areas = [area] }) => areas.includes(area))
    .flatMap(({ phrase, use, allowed = {} }) => {
      const pattern = patternOf(phrase);
      const hits = files.flatMap((file) => hitsIn(file, pattern));
      const most = allowed[area] ?? 0;
      if (hits.length <= most) return [];
      const why = `"${phrase}" occurs ${hits.length} times, and ${most} are allowed. Change the one that you added:`;
      return [...(most > 0 ? [why] : []), ...hits.map((hit) => messageOf({ ...hit, use }))];
    });
}

/** A line may end within a phrase. A phrase with a capital letter is searched for as it is written. */
function patternOf(phrase) {
  const flags = /(?<!\\)[A-Z]/.test(phrase) ? 'g' : 'gi';
  return new RegExp(`(?<!\\w)(?:${phrase.replaceAll(' ', '\\s+')})(?!\\w)`, flags);
}

export function messageOf({ path, line, word, use }) {
  return `${path}:${line}: "${word.replace(/\s+/g, ' ')}": use "${use}"`;
}

/** A text within a file has the line at which the text begins. */
function hitsIn({ path, text, line = 1 }, pattern) {
  return [...text.matchAll(pattern)].map(({ 0: word, index }) => ({
    ...{ path, word },
    line: line + text.slice(0, index).split('\n').length - 1,
  }));
}
