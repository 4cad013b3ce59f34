/** What the operations of people answer with (the contents of `data`). */
export type Role = 'owner' | 'member' | 'read_only';

export interface AuthState {
  readonly needs_first_user: boolean;
  readonly mode: 'sandbox' | 'live';
  readonly signed_in: boolean;
}

export interface Me {
  readonly user: {
    readonly id: string;
    readonly email: string;
    readonly name: string | null;
    readonly totp_enabled: boolean;
    readonly recovery_codes_left: number;
  };
  readonly organization: { readonly id: string; readonly name: string };
  readonly role: Role;
  readonly organizations: readonly { readonly id: string; readonly name: string; readonly role: Role }[];
}

export interface Member {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  readonly role: Role;
  readonly totp_enabled: boolean;
  readonly joined_at: string;
  readonly last_seen_at: string | null;
}

export interface Invite {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly created_at: string;
  readonly expires_at: string;
  readonly invited_by: string | null;
}

export interface InviteView {
  readonly email: string;
  readonly role: Role;
  readonly organization: { readonly name: string };
  readonly has_account: boolean;
  readonly expires_at: string;
}

export interface AuditEntry {
  readonly id: string;
  readonly at: string;
  readonly action: string;
  readonly actor: {
    readonly type: 'user' | 'api_key';
    readonly id: string | null;
    readonly name: string | null;
  };
  readonly target: { readonly id: string | null; readonly name: string | null };
  readonly details: Readonly<Record<string, unknown>>;
  readonly address: string | null;
}

export type Counted = 'sent' | 'queued' | 'delivered' | 'bounced' | 'failed' | 'opened' | 'complained';
export type StatsPoint = { readonly at: string } & Readonly<Record<Counted, number>>;
export type Rate = 'delivered' | 'bounced' | 'opened' | 'complained';

export interface Stats {
  readonly range: '24h' | '7d' | '30d';
  readonly interval: 'hour' | 'day';
  readonly from: string;
  readonly to: string;
  readonly totals: Readonly<Record<Counted, number>>;
  readonly rates: Readonly<Record<Rate, number | null>>;
  readonly series: readonly StatsPoint[];
}

export interface AttentionItem {
  readonly kind: string;
  readonly severity: 'critical' | 'warning' | 'info';
  readonly id: string | null;
  readonly name: string | null;
  readonly message: string;
}

export interface Attention {
  readonly queue: {
    readonly queued_emails: number;
    readonly due: number;
    readonly due_is_capped: boolean;
    readonly oldest_due_at: string | null;
    readonly oldest_due_seconds: number | null;
  };
  readonly items: readonly AttentionItem[];
}

interface Deleted {
  readonly id: string;
  readonly deleted: boolean;
}

export interface AccountOperations {
  readonly 'GET /auth/state': AuthState;
  readonly 'POST /auth/sign-up': Me;
  readonly 'POST /auth/sign-in': Me;
  readonly 'POST /auth/sign-out': unknown;
  readonly 'POST /auth/sign-out-everywhere': unknown;
  readonly 'GET /auth/me': Me;
  readonly 'PATCH /auth/me': Me;
  readonly 'POST /auth/organization': Me;
  readonly 'POST /auth/password': unknown;
  readonly 'POST /auth/password-reset': unknown;
  readonly 'POST /auth/password-reset/confirm': unknown;
  readonly 'POST /auth/totp': { readonly secret: string; readonly uri: string };
  readonly 'POST /auth/totp/confirm': { readonly recovery_codes: readonly string[] };
  readonly 'DELETE /auth/totp': unknown;
  readonly 'GET /members': readonly Member[];
  readonly 'PATCH /members/{id}': Member;
  readonly 'DELETE /members/{id}': Deleted;
  readonly 'GET /members/invites': readonly Invite[];
  readonly 'POST /members/invites': Invite & { readonly link: string };
  readonly 'DELETE /members/invites/{id}': Deleted;
  readonly 'GET /invites/{token}': InviteView;
  readonly 'POST /invites/{token}/accept': Me;
  readonly 'PATCH /organization': { readonly id: string; readonly name: string };
  readonly 'POST /organizations': { readonly id: string; readonly name: string; readonly role: Role };
  readonly 'GET /audit-log': readonly AuditEntry[];
  readonly 'GET /stats': Stats;
  readonly 'GET /stats/attention': Attention;
}
