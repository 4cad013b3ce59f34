/** The public form of the route table: with the health of its transports, and without passwords. Pure. */

import { DEFAULT_PLAN } from './canary/plan.ts';
import type { StoredTable, StoredTransport } from './store.ts';
import { type Match, type Rule, relaySiteName } from './table.ts';
import type { TransportHealth } from './transport-health.ts';
import { DEFAULT_CURVE, DEFAULT_CURVES, type WarmUp } from './warm-up.ts';

export interface DefaultRoute {
  readonly kind: 'direct' | 'relay' | 'sandbox';
  readonly message: string;
}

export function tableView(
  { version, transports, rules }: StoredTable,
  home: DefaultRoute,
  health: TransportHealth,
  providers: readonly string[],
) {
  return {
    version,
    default: home,
    providers: [...providers],
    usual: usualView(),
    transports: transports.map((one) => transportView(one, health)),
    rules: rules.map(ruleView),
  };
}

function usualView() {
  const { percents, minutes, mails, worse } = DEFAULT_PLAN;
  return {
    warm_up: curvesView({ curve: DEFAULT_CURVE, curves: DEFAULT_CURVES }),
    canary: { percents: [...percents], minutes, mails, worse },
  };
}

function ruleView({ name, match, steps, canary }: Rule) {
  const values: { [field in keyof Match]?: string[] } = Object.fromEntries(
    Object.entries(match).map(([field, some]) => [field, [...some]]),
  );
  const shown = canary === undefined ? null : { ...canary, percents: [...canary.percents] };
  return {
    name,
    match: values,
    steps: steps.map(({ choices }) => ({ choices: [...choices] })),
    canary: shown,
  };
}

function transportView({ transport, sealedPassword }: StoredTransport, health: TransportHealth) {
  const { name, kind } = transport;
  const common = { name, kind, has_password: sealedPassword !== null };
  if (transport.kind === 'relay') {
    const { url, connections, messages_per_minute } = transport;
    const own = health.of(relaySiteName(transport));
    return { ...common, sources: [], url, connections, messages_per_minute, health: own };
  }
  const sources = transport.sources.map((source) => ({
    ...source,
    warm_up: source.warm_up ? warmUpView(source.warm_up) : null,
    workers: health.workersWith(source.address),
    held_up: health.heldUpFrom(source.address).map(({ site, state, message, until }) => ({
      ...{ site, state, message, until },
    })),
  }));
  return { ...common, sources, url: null, connections: null, messages_per_minute: null, health: null };
}

function warmUpView({ since, over, curve, curves }: WarmUp) {
  return { since, over, ...curvesView({ curve, curves }) };
}

function curvesView({ curve, curves }: Pick<WarmUp, 'curve' | 'curves'>) {
  const copies = Object.entries(curves).map(([provider, steps]) => [provider, [...steps]]);
  return { curve: [...curve], curves: Object.fromEntries(copies) as Record<string, number[]> };
}
