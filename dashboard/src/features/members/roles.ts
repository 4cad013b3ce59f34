export const ROLES = [
  { key: 'owner', label: 'owner' },
  { key: 'member', label: 'member' },
  { key: 'read_only', label: 'read-only' },
] as const;
