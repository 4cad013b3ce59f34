import { ROLES } from '@postrider/sdk';
import type { Role } from '../../app/account-types.ts';

const LABELS: Readonly<Record<Role, string>> = { owner: 'owner', member: 'member', read_only: 'read-only' };

export const ROLE_CHOICES = ROLES.map((key) => ({ key, label: LABELS[key] }));
