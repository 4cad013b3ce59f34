import type { ApiKey } from '@postrider/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../app/api.ts';
import { Dialog, DialogForm } from '../../ui/dialog.tsx';
import { useForm } from '../../ui/form.ts';
import { useToast } from '../../ui/toast.tsx';
import { formOf, POLICY_FIELDS, PolicyFields, policyOf } from './policy-fields.tsx';

/** What a key may send, changed while programs use it. */
export function EditPolicy({ apiKey, onClose }: { readonly apiKey: ApiKey; readonly onClose: () => void }) {
  const client = useQueryClient();
  const say = useToast();
  const { form, set } = useForm(formOf(apiKey.policy));
  const change = useMutation({
    mutationFn: () => api.apiKeys.update(apiKey.id, { policy: policyOf(form) }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['api-keys'] });
      say('Saved. The policy applies within a second.');
      onClose();
    },
  });
  return (
    <Dialog title={`Policy of ${apiKey.name}`} onClose={onClose}>
      <DialogForm does={change} action="Save the policy" known={POLICY_FIELDS} onClose={onClose}>
        <PolicyFields form={form} set={set} error={change.error} />
      </DialogForm>
    </Dialog>
  );
}
