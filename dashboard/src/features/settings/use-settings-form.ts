import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { useLeaveWarning } from '../../app/leave-warning.ts';
import { useToast } from '../../ui/toast.tsx';

interface SettingsFormOptions<Settings, Values> {
  readonly name: string;
  readonly read: () => Promise<Settings>;
  readonly toValues: (settings: Settings) => Values;
  readonly write: (values: Values) => Promise<unknown>;
}

/** Settings as they are with what was typed over them. `values` is there once the settings are. */
export function useSettingsForm<Settings, Values extends object>(
  options: SettingsFormOptions<Settings, Values>,
) {
  const client = useQueryClient();
  const say = useToast();
  const current = useQuery({ queryKey: ['settings', options.name], queryFn: options.read });
  const [edited, setEdited] = useState<Partial<Values>>({});
  const values = current.data === undefined ? undefined : { ...options.toValues(current.data), ...edited };
  const save = useMutation({
    mutationFn: options.write,
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['settings'] });
      setEdited({});
      say('Saved.');
    },
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (values !== undefined) save.mutate(values);
  };
  const edit = (part: Partial<Values>) => setEdited({ ...edited, ...part });
  const changed = Object.keys(edited).length > 0;
  useLeaveWarning(changed);
  return { current, values, edit, save, submit, changed };
}
