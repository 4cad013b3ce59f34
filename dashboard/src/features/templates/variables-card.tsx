/** The variables of a template, and the rules for their values. */
import { Card } from '../../ui/page.tsx';
import { Table } from '../../ui/table.tsx';
import { changedRules, parseDefault, type Rule, ruleOf, showDefault, TYPES } from './rules.ts';

interface Variable {
  readonly name: string;
  readonly type: string;
}

interface Props {
  /** The variables that the texts use. A rule may name others. */
  readonly variables: readonly Variable[];
  readonly rules: readonly Rule[];
  readonly editable: boolean;
  readonly onChange: (rules: Rule[]) => void;
}

export function VariablesCard({ variables: used, rules, editable, onChange }: Props) {
  const unused = rules.filter(({ name }) => !used.some((variable) => variable.name === name));
  const variables = [...used, ...unused];
  return (
    <Card title="Variables" flush>
      {variables.length === 0 ? (
        <p className="quiet card-body">
          No variables yet. Type <code>{'{{name}}'}</code> in the subject, the HTML or the text.
        </p>
      ) : (
        <Table columns={['Name', 'Type', 'Required', 'Default']}>
          {variables.map((variable) => (
            <Row
              key={variable.name}
              variable={variable}
              rule={ruleOf(rules, variable.name)}
              editable={editable}
              onChange={(changes) => onChange(changedRules(rules, variable, changes))}
            />
          ))}
        </Table>
      )}
      <p className="quiet small card-body">
        A send without a required variable is refused. A variable with a default may be left out.
      </p>
    </Card>
  );
}

interface RowProps {
  readonly variable: Variable;
  readonly rule: Rule | undefined;
  readonly editable: boolean;
  readonly onChange: (changes: Partial<Rule>) => void;
}

function Row({ variable: { name, type: detected }, rule, editable, onChange }: RowProps) {
  const type = rule?.type ?? detected;
  return (
    <tr>
      <td>
        <code className="wrap">{name}</code>
      </td>
      <td>
        <select
          className="input"
          aria-label={`Type of ${name}`}
          disabled={!editable}
          value={type}
          onChange={(event) => onChange({ type: event.target.value as Rule['type'] })}
        >
          {TYPES.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </td>
      <td>
        <input
          type="checkbox"
          aria-label={`${name} is required`}
          disabled={!editable}
          checked={rule?.required === true}
          onChange={(event) => onChange({ required: event.target.checked })}
        />
      </td>
      <td>
        <input
          className="input"
          aria-label={`Default of ${name}`}
          disabled={!editable}
          defaultValue={showDefault(rule?.default_value)}
          onBlur={(event) => onChange({ default_value: parseDefault(event.target.value, type) })}
        />
      </td>
    </tr>
  );
}
