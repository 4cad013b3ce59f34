// The model of what people choose as local part, with thresholds taken from names it was not trained on, and a third set
// of names to measure it with.
import { humanLocalParts, machineLocalParts, shareOf } from './local-parts.mjs';
import { loadNames } from './names.mjs';
import { trainTrigrams } from './trigram-model.mjs';

const TRAINING = { texts: 300_000, seed: 1 };
const CALIBRATION = { texts: 100_000, seed: 2 };
const MEASURING = { people: 5_000, machinesOfEachKind: 500, seed: 4 };

/** A list too short to be split is used for everything. */
const SPLIT_FROM = 500;

export function buildRandomModel(trigrams, measure) {
  const { ways, words } = loadNames(trigrams.withoutMarks);
  const part = (list, wanted) =>
    list.length < SPLIT_FROM ? list : list.filter((name) => shareOf(name) === wanted);
  const share = (wanted) => ({
    ways: ways.map((way) => ({ ...way, first: part(way.first, wanted), last: part(way.last, wanted) })),
    words: part(words, wanted),
  });
  const training = share('training');
  const single = training.ways[0];
  const texts = [
    ...humanLocalParts(training, TRAINING.texts, TRAINING.seed),
    ...single.first,
    ...single.last,
  ];
  const costs = trainTrigrams(texts, trigrams);
  const suspicions = humanLocalParts(share('calibration'), CALIBRATION.texts, CALIBRATION.seed)
    .map((local) => measure(local, costs)?.suspicion)
    .filter((suspicion) => suspicion !== undefined)
    .sort((a, b) => a - b);
  const quantile = (part) => Number(suspicions[Math.floor(suspicions.length * part)].toFixed(3));
  const machines = machineLocalParts(MEASURING.machinesOfEachKind, MEASURING.seed);
  return {
    model: {
      // Below one in a hundred and one in a thousand, as other people's names surprise it a little more.
      warn_at: quantile(0.993),
      strong_at: quantile(0.9993),
      costs: Buffer.from(costs).toString('base64'),
    },
    trainedOn:
      training.words.length + training.ways.reduce((sum, way) => sum + way.first.length + way.last.length, 0),
    people: humanLocalParts(share('measuring'), MEASURING.people, MEASURING.seed),
    machines: Object.entries(machines).flatMap(([kind, list]) => list.map((local) => `${local} ${kind}`)),
  };
}
