/** One curve of warming up: how many mails on each day, and how that looks. */
import { useId } from 'react';
import { Button } from '../../ui/button.tsx';
import { CurveDrawing } from './curve-drawing.tsx';
import { type CurveForm, curveAdvice, MOST_DAYS, mailsOf, unreadableDays } from './source-form.ts';

interface Props {
  readonly curve: CurveForm;
  readonly onChange: (days: readonly string[]) => void;
  /** Where it can be done without. */
  readonly onRemove?: () => void;
  /** What the server says of it. */
  readonly problem: string | undefined;
}

export function CurveFields({ curve: { provider, days }, onChange, onRemove, problem }: Props) {
  const id = useId();
  const whose = provider === null ? 'for all other providers' : `for ${provider}`;
  const wrong = unreadableDays(days);
  const told = wrong[0] === undefined ? problem : dayProblem(wrong[0]);
  const advice = curveAdvice(mailsOf(days));
  return (
    <fieldset className="stack-small" aria-describedby={told ? `${id}-problem` : undefined}>
      <legend className="visually-hidden">Emails a day {whose}</legend>
      <CurveDrawing mails={mailsOf(days)} of={whose} />
      <div className="curve-days">
        {days.map((mails, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a day is known by its place
          <label key={index}>
            <span className="quiet small">Day {index + 1}</span>
            <input
              className="input"
              inputMode="numeric"
              value={mails}
              aria-invalid={wrong.includes(index) ? true : undefined}
              onChange={(event) => onChange(days.with(index, event.target.value))}
            />
          </label>
        ))}
      </div>
      {told ? (
        <span className="problem" id={`${id}-problem`} role="alert">
          {told}
        </span>
      ) : advice ? (
        <span className="hint">{advice}</span>
      ) : null}
      <div className="row">
        <Button
          size="small"
          icon="plus"
          aria-label={`Add a day ${whose}`}
          disabled={days.length >= MOST_DAYS}
          onClick={() => onChange([...days, days.at(-1) ?? '50'])}
        >
          Add a day
        </Button>
        <Button
          size="small"
          aria-label={`Remove the last day ${whose}`}
          disabled={days.length === 1}
          onClick={() => onChange(days.slice(0, -1))}
        >
          Remove the last day
        </Button>
        {onRemove ? (
          <Button size="small" kind="danger" aria-label={`Remove the curve ${whose}`} onClick={onRemove}>
            Remove the curve
          </Button>
        ) : null}
      </div>
    </fieldset>
  );
}

function dayProblem(index: number): string {
  return `Day ${index + 1} must be a whole number of emails, from 1 to 100,000,000.`;
}
