/** The public form of warm-up progress. Pure. */
import type { RouteTable } from './table.ts';
import { allowanceAt, curveFor, sentOn, stepAfter, type WarmUp, type WarmUpDay } from './warm-up.ts';

export interface SourceDayRow extends WarmUpDay {
  readonly address: string;
  readonly provider: string;
}

/** One line for each address and each provider that it has sent to; an address without mail has one line without a provider. */
export function warmUpsOf({ transports }: RouteTable, rows: readonly SourceDayRow[], today: string) {
  return transports.flatMap((transport) =>
    transport.kind === 'relay'
      ? []
      : transport.sources.flatMap(({ address, warm_up: warmUp }) => {
          if (!warmUp) return [];
          const own = rows.filter((row) => row.address === address && row.day >= warmUp.since);
          const providers = new Set(own.map(({ provider }) => provider));
          const about = { transport: transport.name, address, warmUp, today };
          if (providers.size === 0) return [entry({ ...about, provider: null, days: [] })];
          return [...providers]
            .sort()
            .map((provider) =>
              entry({ ...about, provider, days: own.filter((row) => row.provider === provider) }),
            );
        }),
  );
}

interface About {
  readonly transport: string;
  readonly address: string;
  readonly warmUp: WarmUp;
  readonly today: string;
  readonly provider: string | null;
  readonly days: readonly SourceDayRow[];
}

function entry({ transport, address, warmUp, today, provider, days }: About) {
  const curve = curveFor(warmUp, provider ?? '');
  const before = days.filter(({ day }) => day < today);
  const step = stepAfter(curve, before);
  const allowed = allowanceAt(curve, step);
  const used = days.filter(({ day }) => day === today).reduce((sum, day) => sum + sentOn(day), 0);
  return {
    ...{ transport, address, provider, since: warmUp.since, over: warmUp.over, used, allowed },
    step: Math.min(step + 1, curve.length),
    curve: [...curve],
    message: sentence(allowed, used, warmUp),
    days: days.map((day, index) => ({
      day: day.day,
      allowed: allowanceAt(curve, stepAfter(curve, days.slice(0, index))),
      ...{ used: sentOn(day), delivered: day.delivered, objected: day.objected, complained: day.complained },
    })),
  };
}

function sentence(allowed: number | null, used: number, { over }: WarmUp): string {
  if (allowed === null) return 'The warm-up is complete. There is no daily limit any more.';
  const rest = over === 'wait' ? 'waits for tomorrow' : 'takes the next choice of its rule';
  const isSpent =
    used >= allowed ? 'All of today’s emails are sent' : `${used} of today’s ${allowed} emails are sent`;
  return `${isSpent}; further mail ${rest}.`;
}
