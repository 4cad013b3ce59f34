// Counts trigrams and turns them into costs: interpolated (Witten-Bell) from trigrams over bigrams and single symbols
// to "anything", so that nothing is impossible and everything unseen is dear.

export function trainTrigrams(texts, { symbolsOf, trigramAt, EDGE, SYMBOLS, STEPS_PER_BIT }) {
  const counts = [new Map(), new Map(), new Map()];
  for (const text of texts) {
    const symbols = symbolsOf(text);
    if (symbols === null) throw new Error(`cannot train on ${text}`);
    let before = EDGE;
    let last = EDGE;
    for (const next of [...symbols, EDGE]) {
      add(counts[0], '', next);
      add(counts[1], last, next);
      add(counts[2], before * SYMBOLS + last, next);
      before = last;
      last = next;
    }
  }
  const model = new Uint8Array(SYMBOLS ** 3);
  for (let before = 0; before < SYMBOLS; before += 1) {
    for (let last = 0; last < SYMBOLS; last += 1) {
      for (let next = 0; next < SYMBOLS; next += 1) {
        const one = share(counts[0].get(''), next, 1 / SYMBOLS);
        const two = share(counts[1].get(last), next, one);
        const three = share(counts[2].get(before * SYMBOLS + last), next, two);
        const steps = Math.round(-Math.log2(three) * STEPS_PER_BIT);
        model[trigramAt(before, last, next)] = Math.min(255, steps);
      }
    }
  }
  return model;
}

function add(table, context, next) {
  const row = table.get(context) ?? { total: 0, next: new Map() };
  table.set(context, row);
  row.total += 1;
  row.next.set(next, (row.next.get(next) ?? 0) + 1);
}

function share(row, next, fallback) {
  if (row === undefined) return fallback;
  const kinds = row.next.size;
  return ((row.next.get(next) ?? 0) + kinds * fallback) / (row.total + kinds);
}
