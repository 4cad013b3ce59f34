import type { Stats } from '../../app/account-types.ts';
import { share } from '../../ui/figures.ts';
import { Card } from '../../ui/page.tsx';

/** Where mailbox providers begin to turn mail away. */
const LINES = [
  { rate: 'bounced', label: 'Bounced', line: 0.02, scale: 0.04, words: 'Keep it under 2%' },
  { rate: 'complained', label: 'Complained', line: 0.001, scale: 0.002, words: 'Keep it under 0.1%' },
] as const;

export function Rates({ stats }: { readonly stats: Stats }) {
  return (
    <Card title="Rates">
      <div className="stack">
        {LINES.map(({ rate, label, line, scale, words }) => {
          const value = stats.rates[rate];
          return (
            <div key={rate} className="stack-small">
              <div className="spread">
                <span className="strong">{label}</span>
                <span className="number">{value === null ? 'no data yet' : share(value)}</span>
              </div>
              <div className={`meter ${value !== null && value > line ? 'over' : ''}`} aria-hidden="true">
                <span style={{ width: `${Math.min(100, ((value ?? 0) / scale) * 100)}%` }} />
                <i style={{ left: `${(line / scale) * 100}%` }} />
              </div>
              <span className="quiet small">
                {value !== null && value > line ? 'Above the limit: providers may refuse your mail. ' : ''}
                {words}.
              </span>
            </div>
          );
        })}
        <div className="spread small quiet">
          <span>Delivered {share(stats.rates.delivered)}</span>
          <span>Opened {share(stats.rates.opened)}</span>
        </div>
      </div>
    </Card>
  );
}
