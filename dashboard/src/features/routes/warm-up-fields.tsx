/** How a source address is warmed up: from which day, by which curves, and what becomes of mail that is too much. */
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { CurveFields } from './curve-fields.tsx';
import {
  type CurveForm,
  type Curves,
  curveForms,
  curveWords,
  isUsual,
  mailsOf,
  unreadableDays,
  type WarmUpForm,
} from './source-form.ts';

interface Props {
  readonly value: WarmUpForm;
  readonly onChange: (value: WarmUpForm) => void;
  readonly usual: Curves;
  readonly providers: readonly string[];
  /** What the server says of a field of it. */
  readonly problem: (field: string) => string | undefined;
}

export function WarmUpFields({ value, onChange, usual, providers, problem }: Props) {
  return (
    <div className="stack-small indented">
      <div className="form-row">
        <TextField
          label="First day"
          type="date"
          required
          value={value.since}
          onChange={(event) => onChange({ ...value, since: event.target.value })}
          hint="In UTC. Mail from before this day does not count."
          problem={problem('since')}
        />
        <SelectField
          label="Mail above the daily limit"
          value={value.over}
          onChange={(event) => onChange({ ...value, over: event.target.value as WarmUpForm['over'] })}
          problem={problem('over')}
        >
          <option value="fallback">is sent through the next transport of its rule</option>
          <option value="wait">waits for the next day</option>
        </SelectField>
      </div>
      <UsualCurves
        isTaken={isUsual(value.curves, usual)}
        usual={usual}
        onTake={() => onChange({ ...value, curves: curveForms(usual) })}
      />
      <CurveList {...{ value, onChange, usual, providers, problem }} />
    </div>
  );
}

function UsualCurves({
  isTaken,
  usual: { curve, curves },
  onTake,
}: {
  readonly isTaken: boolean;
  readonly usual: Curves;
  readonly onTake: () => void;
}) {
  const others = Object.keys(curves).join(', ');
  return (
    <div className="stack-small">
      <p className="quiet small">
        A day without problems leads to the next day of the curve. After the last day the address is warm. The
        default: {curveWords(curve)}; half of that for {others}.
      </p>
      <div>
        <Button size="small" disabled={isTaken} onClick={onTake}>
          {isTaken ? 'This is the default' : 'Use the default'}
        </Button>
      </div>
    </div>
  );
}

function CurveList({ value, onChange, usual, providers, problem }: Props) {
  const { curves } = value;
  const [added, setAdded] = useState<string | null>(null);
  const put = (index: number, ...put: CurveForm[]) =>
    onChange({ ...value, curves: curves.toSpliced(index, 1, ...put) });
  const fieldOf = ({ provider }: CurveForm) => (provider === null ? 'curve' : `curves.${provider}`);
  const left = providers.filter((name) => !curves.some(({ provider }) => provider === name));
  return (
    <>
      {curves.map((curve, index) => (
        <details key={curve.provider} className="curve" open={index === 0 || curve.provider === added}>
          <summary>
            <span className="strong">{curve.provider ?? 'All other providers'}</span>{' '}
            <span className="quiet small">
              {unreadableDays(curve.days).length > 0
                ? 'a day of the curve is not a number'
                : curveWords(mailsOf(curve.days))}
            </span>
          </summary>
          <CurveFields
            curve={curve}
            onChange={(days) => put(index, { ...curve, days })}
            {...(curve.provider === null ? {} : { onRemove: () => put(index) })}
            problem={problem(fieldOf(curve))}
          />
        </details>
      ))}
      <AddCurve
        providers={left}
        onAdd={(provider) => {
          const mails = usual.curves[provider] ?? usual.curve;
          setAdded(provider);
          onChange({ ...value, curves: [...curves, { provider, days: mails.map(String) }] });
        }}
      />
    </>
  );
}

function AddCurve({
  providers,
  onAdd,
}: {
  readonly providers: readonly string[];
  readonly onAdd: (provider: string) => void;
}) {
  const [chosen, setChosen] = useState('');
  const provider = providers.find((name) => name === chosen) ?? providers[0];
  if (provider === undefined) return null;
  return (
    <div className="row row-foot">
      <SelectField
        label="Separate curve for"
        value={provider}
        onChange={(event) => setChosen(event.target.value)}
      >
        {providers.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </SelectField>
      <Button aria-label={`Add a curve for ${provider}`} onClick={() => onAdd(provider)}>
        Add
      </Button>
    </div>
  );
}
