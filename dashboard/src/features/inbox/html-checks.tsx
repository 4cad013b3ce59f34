/** Which mail client does not know what of the HTML. */
import type { SandboxMessageChecks } from '@postrider/sdk';
import { useState } from 'react';
import { SelectField } from '../../ui/field.tsx';
import { Table } from '../../ui/table.tsx';

type Html = NonNullable<SandboxMessageChecks['html']>;

export function HtmlChecks({ html }: { readonly html: Html }) {
  const [client, setClient] = useState('');
  const shown = html.features.filter(
    ({ unsupported, partial }) => client === '' || unsupported.includes(client) || partial.includes(client),
  );
  return (
    <section className="stack-small">
      <h2>Support by mail clients</h2>
      <SelectField label="Mail client" value={client} onChange={(event) => setClient(event.target.value)}>
        <option value="">All mail clients</option>
        {html.clients.map(({ name, unsupported, partial }) => (
          <option key={name} value={name}>
            {name}: {unsupported} unsupported, {partial} in part
          </option>
        ))}
      </SelectField>
      {html.is_complete ? null : <p className="quiet small">Only the first 250,000 characters were read.</p>}
      {shown.length === 0 ? (
        <p className="quiet">All features of this HTML are supported.</p>
      ) : (
        <Table columns={['Feature', 'Used', 'Not supported by', 'Partly supported by']}>
          {shown.map((one) => (
            <tr key={one.about}>
              <td className="wrap">
                <a href={one.about} target="_blank" rel="noreferrer">
                  {one.feature}
                </a>
              </td>
              <td className="quiet">
                {one.count === 1 ? `line ${one.line}` : `${one.count} times, first in line ${one.line}`}
              </td>
              <td className="wrap">{one.unsupported.join(', ') || '–'}</td>
              <td className="quiet wrap">{one.partial.join(', ') || '–'}</td>
            </tr>
          ))}
        </Table>
      )}
      <p className="quiet small">
        According to the tables of Can I email, which are tested by hand. Most clients ignore features that
        they do not support and show the rest.
      </p>
    </section>
  );
}
