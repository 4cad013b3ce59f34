/** Makes a stream, or changes one. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../app/api.ts';
import { Dialog, DialogForm } from '../../ui/dialog.tsx';
import { problemOf } from '../../ui/error-note.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { useForm } from '../../ui/form.ts';
import { useToast } from '../../ui/toast.tsx';
import type { Stream } from './queries.ts';

interface Props {
  readonly stream?: Stream;
  readonly onClose: () => void;
}

const PRIORITIES = ['high', 'normal', 'low'] as const;
const FIELDS = ['name', 'description', 'priority', 'messages_per_minute', 'messages_per_hour'];

export function StreamDialog({ stream, onClose }: Props) {
  const client = useQueryClient();
  const say = useToast();
  const { form, set } = useForm({
    name: stream?.name ?? '',
    description: stream?.description ?? '',
    priority: stream?.priority ?? 'normal',
    perMinute: stream?.messages_per_minute?.toString() ?? '',
    perHour: stream?.messages_per_hour?.toString() ?? '',
  });
  const save = useMutation({
    mutationFn: () => {
      const settings = {
        description: form.description.trim() === '' ? null : form.description,
        priority: form.priority as Stream['priority'],
        messages_per_minute: numberIn(form.perMinute),
        messages_per_hour: numberIn(form.perHour),
      };
      return stream
        ? api.streams.update(stream.name, settings)
        : api.streams.create({ name: form.name.trim(), ...settings });
    },
    onSuccess: async ({ name }) => {
      await client.invalidateQueries({ queryKey: ['streams'] });
      say(stream ? `${name} was changed.` : `${name} was created.`);
      onClose();
    },
  });
  const problem = (field: string) => problemOf(save.error, field);
  return (
    <Dialog title={stream ? `Edit ${stream.name}` : 'Create a stream'} onClose={onClose}>
      <DialogForm does={save} action={stream ? 'Save' : 'Create stream'} known={FIELDS} onClose={onClose}>
        {stream ? null : (
          <TextField
            label="Name"
            required
            placeholder="product-news"
            value={form.name}
            onChange={set('name')}
            hint="Lower-case letters, digits and hyphens. The name cannot be changed later."
            problem={problem('name')}
          />
        )}
        <TextField
          label="Description"
          value={form.description}
          onChange={set('description')}
          hint="Optional. A note for your colleagues."
          problem={problem('description')}
        />
        <SelectField
          label="Priority"
          value={form.priority}
          onChange={set('priority')}
          hint="For mail without its own priority. Mail with a higher priority goes first."
          problem={problem('priority')}
        >
          {PRIORITIES.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </SelectField>
        <TextField
          label="Maximum emails per minute"
          type="number"
          inputMode="numeric"
          min={1}
          value={form.perMinute}
          onChange={set('perMinute')}
          hint="Excess mail is queued. Empty: no limit."
          problem={problem('messages_per_minute')}
        />
        <TextField
          label="Maximum emails per hour"
          type="number"
          inputMode="numeric"
          min={1}
          value={form.perHour}
          onChange={set('perHour')}
          problem={problem('messages_per_hour')}
        />
      </DialogForm>
    </Dialog>
  );
}

function numberIn(text: string): number | null {
  return text.trim() === '' ? null : Number(text);
}
