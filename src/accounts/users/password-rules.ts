/** Password rules: a minimum length, not derived from the owner's address, and not among the most common passwords. */
import { halvesOf } from '../../protocols/message/address.ts';
import { Problems } from '../../runtime/problems.ts';

export const PASSWORD_MIN = 10;
const PASSWORD_MAX_BYTES = 1_000;
const LEAST_DIFFERENT = 5;

/**
 * Common passwords of ten or more characters; shorter ones fail the length rule. Compared without case and without
 * trailing digits.
 */
const COMMON = new Set(
  `1234567890 0123456789 0987654321 9876543210 123456789a a123456789 1q2w3e4r5t 1qaz2wsx3edc 1q2w3e4r5t6y q1w2e3r4t5
   qwertyuiop qwertzuiop azertyuiop asdfghjkl zxcvbnm qwerty asdfgh zxcvbn qazwsxedc abcdefghij abcdefghijkl
   password passw0rd p@ssword p@ssw0rd passwort motdepasse contraseña mypassword yourpassword thepassword
   administrator administrador admin root superuser changeme changemenow changeit letmein letmeinplease welcome
   welcomeback iloveyou iloveyousomuch sunshine princess football baseball basketball superman batman dragon monkey
   trustno1 starwars whatever computer internet hello helloworld secret secretpassword default temporary testtest
   testing testuser master qwerty123456 abc123 abcd1234 correcthorsebatterystaple correct-horse-battery-staple
   postrider postriderpassword mailserver`.split(/\s+/),
);

/** A message for the owner, or undefined when the password is acceptable. */
export function passwordProblem(password: string, email: string): string | undefined {
  // Normalizing shrinks a text at most fourfold, so the cheap check avoids normalizing megabytes.
  if (password.length > 4 * PASSWORD_MAX_BYTES) return `must be at most ${PASSWORD_MAX_BYTES} bytes long`;
  const text = password.normalize('NFKC');
  const length = [...text].length;
  if (length < PASSWORD_MIN) return `must be at least ${PASSWORD_MIN} characters long`;
  if (Buffer.byteLength(text) > PASSWORD_MAX_BYTES) return `must be at most ${PASSWORD_MAX_BYTES} bytes long`;
  const plain = text.toLowerCase();
  if (plain === email || plain === halvesOf(email).local) {
    return 'must not be your email address';
  }
  if (new Set(plain).size < LEAST_DIFFERENT)
    return `must have at least ${LEAST_DIFFERENT} different characters`;
  if (isCommon(plain)) return 'is a common password; choose another';
  return undefined;
}

function isCommon(plain: string): boolean {
  const bare = plain.replace(/[\d!?.,_*#@$-]+$/u, '');
  return COMMON.has(plain) || COMMON.has(bare);
}

export function assertPassword(password: string, email: string, field: string): void {
  const problem = passwordProblem(password, email);
  if (problem !== undefined) throw new Problems().add(field, problem).toError();
}
