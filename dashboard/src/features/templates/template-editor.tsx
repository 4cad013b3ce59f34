/** The editor and its preview. The server renders what is typed, so that preview and mail can never differ. */
import type { TemplateDetail } from '@postrider/sdk';
import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useCan } from '../../app/session.ts';
import type { PickedPlace } from '../../ui/message-frame.tsx';
import { Card } from '../../ui/page.tsx';
import { ChecksCard } from './checks-card.tsx';
import { ContentCard } from './content-card.tsx';
import type { TemplateDraft } from './draft.ts';
import { Preview } from './preview.tsx';
import { SaveBar, SaveNotes } from './save-bar.tsx';
import { SettingsCard } from './settings-card.tsx';
import { useEdited } from './use-edited.ts';
import { useFocusKept } from './use-focus-kept.ts';
import { usePreview } from './use-preview.ts';
import { useSave } from './use-save.ts';
import { VariablesCard } from './variables-card.tsx';

interface Props {
  readonly template: TemplateDetail;
  /** Hidden parts stay mounted, so they keep typed text. */
  readonly shown: 'both' | 'edit' | 'preview' | 'versions';
}

export function TemplateEditor({ template, shown }: Props) {
  const can = useCan();
  const edited = useEdited(template);
  const save = useSave(edited);
  const { draft, data, setDraft } = edited;
  const [chosen, setLocale] = useState<string | null>(null);
  // A colleague may have removed the language.
  const locale = draft.translations.some((one) => one.locale === chosen) ? chosen : null;
  const preview = usePreview(template, draft, data, locale);
  const around = useRef<HTMLDivElement>(null);
  const status = useRef<HTMLElement>(null);
  const onPick = useRef<((place: PickedPlace) => void) | null>(null);
  useFocusKept(around, status);
  const set = (changes: Partial<TemplateDraft>) => setDraft({ ...draft, ...changes });
  const editable = can.change && template.is_active;
  return (
    <div className="panes" ref={around} hidden={shown === 'versions'}>
      <div className="stack pane" hidden={shown === 'preview'}>
        {editable ? <SaveNotes edited={edited} save={save} /> : null}
        <ContentCard {...{ template, edited, editable, preview, locale, setLocale, onPick }} />
        {editable ? <SaveBar edited={edited} save={save} status={status} /> : null}
        <SettingsCard {...{ template, draft, editable, set }} error={preview.error} onLanguage={setLocale} />
        <VariablesCard
          variables={preview.result?.variables ?? template.variables ?? []}
          rules={draft.variable_schema}
          editable={editable}
          onChange={(rules) => set({ variable_schema: rules })}
        />
        <ChecksCard kind={template.kind} draft={draft} data={data} locale={locale} />
        <UsersCard template={template} />
      </div>
      <div className="stack pane preview-pane" hidden={shown === 'edit'}>
        <Preview
          {...{ template, edited, save, preview, locale }}
          onPick={(place) => onPick.current?.(place)}
        />
      </div>
    </div>
  );
}

/** The templates that use a layout or a partial, and change with it. */
function UsersCard({ template }: { readonly template: TemplateDetail }) {
  if (template.kind === 'template') return null;
  const users = template.used_by;
  return (
    <Card title="Used by">
      {users.length === 0 ? (
        <p className="quiet">No template uses this {template.kind}.</p>
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
