/** The master key that an API and a worker under test share, as they would share a data folder. */
export const TEST_SECRET_KEY = 'a-master-key-for-tests-and-nothing-else';
