<?php

declare(strict_types=1);

namespace Postrider;

/** Verifies webhooks according to Standard Webhooks 1.0. */
final class Webhook
{
    private const PREFIX = 'whsec_';

    /**
     * Returns the event if Postrider sent the call recently and nobody changed it.
     *
     * @param string $body the raw body, before it is parsed: `file_get_contents('php://input')`
     * @param array<string, mixed> $headers `getallheaders()`, `$_SERVER`, or those of a PSR-7 or Symfony request
     * @param string|list<string> $secret the secret, or several during a rotation: one match is enough
     * @param int $tolerance maximum difference between the time of the call and now in seconds
     * @return array<string, mixed>
     * @throws WebhookVerificationException
     */
    public static function verify(
        string $body,
        array $headers,
        #[\SensitiveParameter]
        string|array $secret,
        int $tolerance = 300,
        ?int $now = null,
    ): array {
        $id = self::header($headers, 'webhook-id');
        $timestamp = self::header($headers, 'webhook-timestamp');
        $signatures = self::signaturesIn(self::header($headers, 'webhook-signature'));
        self::checkAge($timestamp, $tolerance, $now ?? time());
        $isFitting = false;
        foreach ((array) $secret as $one) {
            $isFitting = self::fits(self::keyOf($one), $signatures, "$id.$timestamp.$body") || $isFitting;
        }
        if (!$isFitting) {
            throw new WebhookVerificationException('wrong_signature', 'No signature fits: not from us, changed, or another secret.');
        }
        $event = json_decode($body, true);
        if (!is_array($event) || array_is_list($event)) {
            throw new WebhookVerificationException('invalid_payload', 'It is signed, but not an event.');
        }
        return $event;
    }

    /** @param array<string, mixed> $headers */
    private static function header(array $headers, string $name): string
    {
        $ofServer = 'http_' . str_replace('-', '_', $name);
        foreach ($headers as $key => $value) {
            $key = strtolower((string) $key);
            if (($key === $name || $key === $ofServer) && $value !== '' && $value !== []) {
                return is_array($value) ? implode(' ', $value) : (string) $value;
            }
        }
        throw new WebhookVerificationException('missing_header', "The header $name is missing.");
    }

    /**
     * `v1,<base64>`, or several separated by spaces. Unknown versions are ignored.
     *
     * @return list<string>
     */
    private static function signaturesIn(string $header): array
    {
        $found = [];
        foreach (explode(' ', $header) as $word) {
            $signature = str_starts_with($word, 'v1,') ? base64_decode(substr($word, 3), true) : false;
            if ($signature !== false) {
                $found[] = $signature;
            }
        }
        return $found;
    }

    private static function checkAge(string $timestamp, int $tolerance, int $now): void
    {
        if (preg_match('/^[0-9]{1,15}$/D', $timestamp) !== 1) {
            throw new WebhookVerificationException('invalid_timestamp', 'The time of sending is not a number of seconds.');
        }
        $age = $now - (int) $timestamp;
        if ($age > $tolerance) {
            throw new WebhookVerificationException('too_old', "It was sent $age seconds ago.");
        }
        if ($age < -$tolerance) {
            throw new WebhookVerificationException('too_new', 'It was sent ' . -$age . ' seconds from now.');
        }
    }

    private static function keyOf(#[\SensitiveParameter] string $secret): string
    {
        $bare = str_starts_with($secret, self::PREFIX) ? substr($secret, strlen(self::PREFIX)) : $secret;
        $key = base64_decode($bare, true);
        if ($key === false || $key === '') {
            throw new WebhookVerificationException('invalid_secret', 'The secret is not one: it starts with whsec_.');
        }
        return $key;
    }

    /** @param list<string> $signatures */
    private static function fits(#[\SensitiveParameter] string $key, array $signatures, string $signed): bool
    {
        $expected = hash_hmac('sha256', $signed, $key, true);
        foreach ($signatures as $one) {
            if (hash_equals($expected, $one)) {
                return true;
            }
        }
        return false;
    }
}
