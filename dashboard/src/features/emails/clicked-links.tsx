/** Which links of a mail were followed, and how often: by people, and by scanners and the like. */
import type { Email } from '@postrider/sdk';

type Event = Email['events'][number];

export function ClickedLinks({ events }: { readonly events: readonly Event[] }) {
  const counts = countClicks(events);
  if (counts.size === 0) return null;
  return (
    <div className="stack-small">
      <div className="strong small">Clicked links</div>
      <ul className="plain-list small">
        {[...counts].map(([url, count]) => (
          <li key={url} className="spread">
            <span className="wrap">{url === '' ? 'Erased link' : url}</span>
            <span className="quiet">{often(count)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

interface Count {
  people: number;
  machines: number;
}

function countClicks(events: readonly Event[]): ReadonlyMap<string, Count> {
  const counts = new Map<string, Count>();
  for (const { type, url, machine } of events) {
    if (type !== 'clicked') continue;
    const count = counts.get(url ?? '') ?? { people: 0, machines: 0 };
    if (machine) count.machines += 1;
    else count.people += 1;
    counts.set(url ?? '', count);
  }
  return counts;
}

function often({ people, machines }: Count): string {
  const byPeople = people === 0 ? [] : [people === 1 ? '1 click' : `${people} clicks`];
  const byMachines =
    machines === 0 ? [] : [machines === 1 ? '1 automated click' : `${machines} automated clicks`];
  return [...byPeople, ...byMachines].join(', ');
}
