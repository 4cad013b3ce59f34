import { setUpToken } from '../../src/accounts/users/first-user.ts';
import { SecretKey } from '../../src/runtime/secret-key.ts';

/** The master key that an API and a worker under test share, as they would share a data folder. */
export const TEST_SECRET_KEY = 'a-master-key-for-tests-and-nothing-else';

/** The setup token that the first user signs up with. */
export const SETUP_TOKEN = setUpToken(new SecretKey(Buffer.from(TEST_SECRET_KEY)));
