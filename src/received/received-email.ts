/** The content of a received mail after parsing. */
import type { Receiver } from './receivers.ts';

/** An address as the sender wrote it, possibly invalid. */
export interface WrittenAddress {
  readonly email: string;
  readonly name: string | null;
}

export interface ArrivedMail {
  readonly organizationId: string;
  readonly id: string;
  readonly receivedAtMs: number;
  readonly mailFrom: string;
  readonly receivers: readonly Receiver[];
  readonly remoteAddress: string;
  readonly helo: string;
  readonly secured: boolean;
  readonly raw: Buffer;
  /** Null if duplicates of this mail cannot be recognised. */
  readonly digest: Buffer | null;
}

/** The metadata of a file. Its content stays in the source. */
export interface ReceivedFile {
  readonly filename: string;
  readonly content_type: string;
  readonly content_id: string | null;
  readonly size: number;
}

export interface ReceivedDetails {
  readonly to: readonly WrittenAddress[];
  readonly cc: readonly WrittenAddress[];
  readonly reply_to: readonly WrittenAddress[];
  readonly in_reply_to: string | null;
  readonly references: readonly string[];
  /** As the sender wrote it. */
  readonly date: string | null;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly attachments: readonly ReceivedFile[];
  /** Whether parts were left out here; the source is complete. */
  readonly truncated: boolean;
}

/** The parsed content of the message. */
export interface ReadMail {
  readonly from: WrittenAddress | null;
  readonly subject: string;
  readonly text: string | null;
  readonly html: string | null;
  readonly reply: string | null;
  readonly messageId: string | null;
  /** Whether a machine wrote the mail: an automatic reply, a bounce, a list. */
  readonly automatic: boolean;
  readonly details: ReceivedDetails;
}

export const SPF_RESULTS = ['pass', 'fail', 'softfail', 'neutral', 'none', 'permerror', 'temperror'] as const;
export const DKIM_RESULTS = ['pass', 'fail', 'none', 'permerror', 'temperror'] as const;
export const DMARC_RESULTS = ['pass', 'fail', 'none', 'temperror'] as const;

export interface MailAuthentication {
  readonly spf: { readonly result: (typeof SPF_RESULTS)[number]; readonly domain: string | null };
  readonly dkim: {
    /** The best result among the signatures. */
    readonly result: (typeof DKIM_RESULTS)[number];
    readonly signatures: readonly {
      readonly domain: string;
      readonly selector: string;
      readonly result: (typeof DKIM_RESULTS)[number];
      readonly reason: string | null;
    }[];
  };
  readonly dmarc: {
    readonly result: (typeof DMARC_RESULTS)[number];
    readonly domain: string | null;
    /** The domain's policy for mail that fails. */
    readonly policy: string | null;
  };
}

/** `not_checked`: no scanner is configured. `unavailable`: the scanner gave no answer. */
export const SCAN_RESULTS = ['not_checked', 'clean', 'found', 'unavailable'] as const;

export interface MailScans {
  readonly spam: {
    readonly result: (typeof SCAN_RESULTS)[number];
    readonly score: number | null;
    readonly symbols: readonly string[];
  };
  readonly virus: { readonly result: (typeof SCAN_RESULTS)[number]; readonly name: string | null };
}

export const NOT_SCANNED: MailScans = {
  spam: { result: 'not_checked', score: null, symbols: [] },
  virus: { result: 'not_checked', name: null },
};

/** File types that a program or a browser might execute when a user opens them. */
const DANGEROUS =
  /\.(?:exe|com|scr|pif|bat|cmd|ps1|psm1|vbs?|vbe|jse?|wsf|wsh|hta|cpl|msi|msp|msix|jar|lnk|url|scf|reg|inf|iso|img|vhdx?|chm|hlp|dll|sys|app|dmg|pkg|deb|rpm|apk|sh|py|pl|xll|one|ad[ep]|mde|do[ct]m|xl[st]m|xlam|pp[tsa]m|potm|sldm|html?|xhtml|svgz?|mht(?:ml)?|shtml)\s*$/i;

export function isDangerous(filename: string): boolean {
  return DANGEROUS.test(filename);
}
