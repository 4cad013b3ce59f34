/** Types of packages without types, as far as the benches use them. */
declare module 'mailcheck' {
  const mailcheck: {
    run(options: {
      email: string;
      suggested?: (suggestion: { full: string; domain: string }) => void;
      empty?: () => void;
    }): void;
  };
  export = mailcheck;
}
declare module 'mailchecker' {
  const mailchecker: { isValid(email: string): boolean; blacklist(): Set<string> };
  export = mailchecker;
}
declare module 'validator/lib/isEmail.js' {
  const isEmail: (text: string, options?: Readonly<Record<string, boolean>>) => boolean;
  export = isEmail;
}
declare module 'deep-email-validator' {
  export function validate(options: {
    email: string;
    validateSMTP: boolean;
    validateTypo: boolean;
    validateDisposable: boolean;
    validateMx: boolean;
    validateRegex: boolean;
  }): Promise<{ valid: boolean }>;
}
