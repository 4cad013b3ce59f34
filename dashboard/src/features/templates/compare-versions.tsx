import type { TemplateDetail, TemplateVersion } from '@postrider/sdk';
import { useId, useState } from 'react';
import { Compare, type Side } from './compare.tsx';
import { sampleText } from './sample-data.ts';

interface Props {
  readonly template: TemplateDetail;
  readonly versions: readonly TemplateVersion[];
  /** The version that is compared with the current one first. */
  readonly first: number;
  readonly onClose: () => void;
}

/** Any two versions, or the draft. */
export function CompareVersions({ template, versions, first, onClose }: Props) {
  const sides: Side[] = versions.map((version) => ({ name: `Version ${version.version}`, content: version }));
  if (template.draft) sides.unshift({ name: 'Draft', content: template.draft });
  const [names, setNames] = useState<readonly [string, string]>([
    `Version ${first}`,
    `Version ${template.version}`,
  ]);
  const [before, after] = names.map((name) => sides.find((side) => side.name === name));
  if (!before || !after) return null;
  return (
    <Compare
      template={template}
      title="Compare versions"
      before={before}
      after={after}
      data={sampleText(template)}
      onClose={onClose}
    >
      <Choice label="From" sides={sides} chosen={before} onChoose={(name) => setNames([name, after.name])} />
      <Choice label="To" sides={sides} chosen={after} onChoose={(name) => setNames([before.name, name])} />
    </Compare>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly sides: readonly Side[];
  readonly chosen: Side;
  readonly onChoose: (name: string) => void;
}

function Choice({ label, sides, chosen, onChoose }: ChoiceProps) {
  const id = useId();
  return (
    <span className="row">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        className="input narrow-input"
        value={chosen.name}
        onChange={(event) => onChoose(event.target.value)}
      >
        {sides.map(({ name }) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </span>
  );
}
