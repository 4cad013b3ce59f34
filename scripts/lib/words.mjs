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

/** One message for each occurrence of a phrase that occurs more often than is allowed. */
export function phraseHits(files, phrases) {
  return phrases.flatMap(({ phrase, use, allowed = 0 }) => {
    const pattern = new RegExp(`(?<!\\w)(?:${phrase})(?!\\w)`, 'gi');
    const hits = files.flatMap((file) => hitsIn(file, pattern));
    if (hits.length <= allowed) return [];
    const why = `"${phrase}" occurs ${hits.length} times, and ${allowed} are allowed. Change the one that you added:`;
    return [...(allowed > 0 ? [why] : []), ...hits.map((hit) => messageOf({ ...hit, use }))];
  });
}

export function messageOf({ path, line, word, use }) {
  return `${path}:${line}: "${word}": use "${use}"`;
}

function hitsIn({ path, text }, pattern) {
  return [...text.matchAll(pattern)].map(({ 0: word, index }) => ({
    ...{ path, word },
    line: text.slice(0, index).split('\n').length,
  }));
}
