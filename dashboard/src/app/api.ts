/** The one door to the server: the SDK, with the session's cookie instead of a key. */
import { Postrider, PostriderError } from '@postrider/sdk';

export const api = new Postrider({ credentials: 'same-origin' });

export { PostriderError };
