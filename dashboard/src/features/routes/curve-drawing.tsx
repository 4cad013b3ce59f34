/** A curve of warming up as it will be: a bar for each day, as high as the mails of it. */
import '../../ui/styles/charts.css';

const HEIGHT = 40;
/** So that the first days are seen beside a last one of a hundred thousand. */
const LEAST = 0.7;

export function CurveDrawing({ mails, of }: { readonly mails: readonly number[]; readonly of: string }) {
  const most = Math.max(1, ...mails);
  const width = 100 / Math.max(1, mails.length);
  const told = (count: number | undefined) => (count ?? 0).toLocaleString('en');
  return (
    <figure className="curve-drawing">
      <svg
        className="chart"
        viewBox={`0 0 100 ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`The curve ${of}: ${told(mails[0])} emails on day 1, up to ${told(most)}, in ${mails.length} days`}
      >
        {mails.map((count, day) => {
          const height = count === 0 ? 0 : Math.max(LEAST, (HEIGHT * count) / most);
          return (
            <rect
              // biome-ignore lint/suspicious/noArrayIndexKey: a day is known by its place
              key={day}
              className="allowed"
              x={(day + 0.1) * width}
              width={width * 0.8}
              y={HEIGHT - height}
              height={height}
            />
          );
        })}
      </svg>
      <figcaption className="quiet small">
        <span>day 1: {told(mails[0])}</span>
        <span>
          day {mails.length}: {told(mails.at(-1))}, then any number
        </span>
      </figcaption>
    </figure>
  );
}
