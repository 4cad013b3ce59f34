/** Which templates use a layout or partial: they change with it. */
import type { TemplateDetail } from '@postrider/sdk';
import { Link } from '@tanstack/react-router';
import { Card } from '../../ui/page.tsx';

export function UsersCard({ template }: { readonly template: TemplateDetail }) {
  if (template.kind === 'template') return null;
  const users = template.used_by;
  return (
    <Card title="Used by">
      {users.length === 0 ? (
        <p className="quiet">No template uses this part.</p>
      ) : (
        <ul>
          {users.map(({ id, name }) => (
            <li key={id}>
              <Link to="/templates/$id" params={{ id }}>
                {name}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
