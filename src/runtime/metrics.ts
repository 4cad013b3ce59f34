/**
 * Prometheus metrics, behind an interface small enough to replace the library.
 *
 * Labels must have few values: a route pattern, never a path; a status class, never an address.
 */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { joinExpositions } from './join-expositions.ts';

export type Labels = Readonly<Record<string, string>>;

export interface Labelled {
  readonly labels: Labels;
  readonly value: number;
}

export interface Metrics {
  readonly contentType: string;
  counter(name: string, help: string, labels?: readonly string[]): (labels?: Labels, by?: number) => void;
  histogram(
    name: string,
    help: string,
    buckets: readonly number[],
    labels?: readonly string[],
  ): (value: number, labels?: Labels) => void;
  /** `read` is called at every scrape. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void;
  /** One number for each current set of labels. */
  gauges(
    name: string,
    help: string,
    labels: readonly string[],
    read: () => Promise<readonly Labelled[]>,
  ): void;
  /** Metrics with another role in their label, on the same page: for a process that has several roles. */
  forRole(role: string): Metrics;
  text(): Promise<string>;
}

/**
 * Gauges of the library that are named like counters, which `promtool check metrics` refuses. They are sums;
 * `nodejs_active_resources`, `nodejs_active_handles` and `nodejs_active_requests` have the same numbers by
 * type.
 */
const MISNAMED = [
  'nodejs_active_resources_total',
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
];

export function createMetrics(role: string): Metrics {
  const own = registryOf(role);
  collectDefaultMetrics({ register: own });
  for (const name of MISNAMED) own.removeSingleMetric(name);
  const registries = new Map([[role, own]]);
  const forRole = (of: string): Metrics => {
    const registry = registries.get(of) ?? registryOf(of);
    registries.set(of, registry);
    return { ...declarationsIn(registry), contentType: own.contentType, forRole, text: page };
  };
  const page = async () => {
    const pages = await Promise.all([...registries.values()].map((registry) => registry.metrics()));
    return pages.length === 1
      ? (pages[0] as string)
      : joinExpositions(pages.map((text) => ({ text, labels: '' })));
  };
  return forRole(role);
}

function registryOf(role: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ role });
  return registry;
}

function declarationsIn(registry: Registry): Pick<Metrics, 'counter' | 'histogram' | 'gauge' | 'gauges'> {
  const registers = [registry];
  return {
    counter(name, help, labels = []) {
      const counter = new Counter({ name, help, labelNames: [...labels], registers });
      return (values = {}, by = 1) => counter.inc({ ...values }, by);
    },
    histogram(name, help, buckets, labels = []) {
      const histogram = new Histogram({
        name,
        help,
        buckets: [...buckets],
        labelNames: [...labels],
        registers,
      });
      return (value, values = {}) => histogram.observe({ ...values }, value);
    },
    gauge(name, help, read) {
      new Gauge({
        name,
        help,
        registers,
        async collect() {
          this.set(await read());
        },
      });
    },
    gauges(name, help, labels, read) {
      new Gauge({
        name,
        help,
        labelNames: [...labels],
        registers,
        async collect() {
          const values = await read();
          this.reset();
          for (const { labels: of, value } of values) this.set({ ...of }, value);
        },
      });
    },
  };
}

/** Caches the reading for `keepMs`, regardless of the number of scrapes. */
export function kept<T>(keepMs: number, nowMs: () => number, read: () => Promise<T>): () => Promise<T> {
  let last: { readonly atMs: number; readonly value: Promise<T> } | undefined;
  return () => {
    if (last === undefined || nowMs() - last.atMs > keepMs) last = { atMs: nowMs(), value: read() };
    return last.value;
  };
}
