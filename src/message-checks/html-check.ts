/**
 * Finds the HTML and CSS features of a message that mail clients do not support, by the table of Can I email.
 * Pure.
 */
import { atOnce, type SlicedWork } from '../runtime/sliced-work.ts';
import { CLIENTS, FEATURES } from './client-support.gen.ts';
import { findingUsedFeatures } from './used-features.ts';

/** HTML beyond this size is not checked. */
export const MAX_CHECKED_CHARS = 250_000;
const ABOUT = 'https://www.caniemail.com/features/';

export interface FeatureFinding {
  readonly feature: string;
  readonly about: string;
  readonly count: number;
  readonly line: number;
  /** Names of mail clients. */
  readonly unsupported: readonly string[];
  readonly partial: readonly string[];
}

export interface HtmlCheck {
  readonly is_complete: boolean;
  readonly features: readonly FeatureFinding[];
  readonly clients: readonly {
    readonly name: string;
    readonly unsupported: number;
    readonly partial: number;
  }[];
}

export function checkHtml(html: string): HtmlCheck {
  return atOnce(checkingHtml(html));
}

export function* checkingHtml(html: string): SlicedWork<HtmlCheck> {
  const used = yield* findingUsedFeatures(html.slice(0, MAX_CHECKED_CHARS));
  const features = FEATURES.flatMap(([slug, title, support]): FeatureFinding[] => {
    const found = used.get(slug);
    if (found === undefined) return [];
    const names = (letter: string) =>
      CLIENTS.filter((_, place) => support[place] === letter).map(([, name]) => name);
    const { count, line } = found;
    const about = `${ABOUT}${slug}/`;
    return [{ feature: title, about, count, line, unsupported: names('n'), partial: names('a') }];
  });
  features.sort((a, b) => b.unsupported.length - a.unsupported.length || b.partial.length - a.partial.length);
  return {
    is_complete: html.length <= MAX_CHECKED_CHARS,
    features,
    clients: CLIENTS.map(([, name]) => countsOf(name, features)),
  };
}

function countsOf(name: string, features: readonly FeatureFinding[]) {
  return {
    name,
    unsupported: features.filter(({ unsupported }) => unsupported.includes(name)).length,
    partial: features.filter(({ partial }) => partial.includes(name)).length,
  };
}
