/** The variables a template uses, and what is asked of each when it is sent. */
import { Card } from '../../ui/page.tsx';
import { Table } from '../../ui/table.tsx';
import { changedRules, parseDefault, type Rule, ruleOf, showDefault, TYPES } from './rules.ts';

interface Variable {
  readonly name: string;
  readonly type: string;
}

interface Props {
  readonly variables: readonly Variable[];
  readonly rules: readonly Rule[];
  readonly editable: boolean;
  readonly onChange: (rules: Rule[]) => void;
}

export function VariablesCard({ variables, rules, editable, onChange }: Props) {
  return (
    <Card title="Variables" flush>
      {variables.length === 0 ? (
        <p className="quiet card-body">
          No variables yet. Write <code>{'{{name}}'}</code> into the subject or a body.
        </p>
      ) : (
        <Table columns={['Name', 'Type', 'Required', 'Default']} stacking={false}>
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
