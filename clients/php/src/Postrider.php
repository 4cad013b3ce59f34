<?php

declare(strict_types=1);

namespace Postrider;

use Postrider\Generated\Resources;
use Postrider\Generated\Shapes;
use Postrider\Http\CurlHttpClient;
use Postrider\Http\HttpClient;
use Postrider\Http\Transport;

/**
 * The client. One is enough for a program: it keeps its connection open.
 *
 * @phpstan-import-type SandboxCreateOrganizationBody from Shapes
 * @phpstan-import-type RequestOptions from Transport
 */
class Postrider extends Resources
{
    public const VERSION = '0.1.0';

    /**
     * @param string $baseUrl such as https://mail.example.org
     * @param float $timeout timeout of each attempt in seconds
     * @param int $maxRetries maximum number of retries of a failed request
     * @param array<string, string> $headers sent with every request
     */
    public function __construct(
        #[\SensitiveParameter]
        string $apiKey,
        private readonly string $baseUrl,
        private readonly float $timeout = 30.0,
        private readonly int $maxRetries = 2,
        private readonly array $headers = [],
        private readonly HttpClient $http = new CurlHttpClient(),
    ) {
        $sent = [
            'accept' => '*/*',
            'user-agent' => 'postrider-php/' . self::VERSION,
            ...self::checkedHeaders($headers),
            'authorization' => 'Bearer ' . self::checkedKey($apiKey),
        ];
        parent::__construct(new Transport($http, self::apiUrl($baseUrl), $sent, $timeout, $maxRetries));
    }

    /**
     * Calls any operation of the API by its name: `request('GET /emails/{id}', ['id' => $id])`. Returns the whole response.
     *
     * @param array<string, int|string> $params
     * @param array<string, mixed> $query
     * @param RequestOptions $options
     */
    public function request(string $operation, array $params = [], array $query = [], mixed $body = null, array $options = []): mixed
    {
        return $this->api->answer($operation, $params, $query, $body, $options);
    }

    /**
     * Creates an organization for one test run, with its own inbox. Sandbox only.
     *
     * @param SandboxCreateOrganizationBody $body
     */
    public function throwAway(array $body = []): ThrowAway
    {
        $made = $this->sandbox->createOrganization($body);
        $client = new self($made['api_key'], $this->baseUrl, $this->timeout, $this->maxRetries, $this->headers, $this->http);
        return new ThrowAway($client, $made['api_key'], $made['domain'], $made);
    }

    /** Removes the line end that a key from a file often has, because a header cannot contain it. */
    private static function checkedKey(#[\SensitiveParameter] string $apiKey): string
    {
        $key = trim($apiKey);
        if (preg_match('/^[\x21-\x7e]+$/D', $key) !== 1) {
            throw new \InvalidArgumentException('apiKey is empty, or is no API key.');
        }
        return $key;
    }

    /**
     * @param array<string, string> $headers
     * @return array<string, string>
     */
    private static function checkedHeaders(array $headers): array
    {
        foreach ($headers as $name => $value) {
            if (preg_match('/^[\w-]+$/D', $name) !== 1 || preg_match('/[\r\n\0]/', $value) === 1) {
                throw new \InvalidArgumentException('headers: "' . addcslashes($name, "\0..\37") . '" is no header.');
            }
        }
        return array_change_key_case($headers);
    }

    private static function apiUrl(string $baseUrl): string
    {
        $address = rtrim(trim($baseUrl), '/');
        if (preg_match('#^https?://[^/\s]+[^\s]*$#D', $address) !== 1) {
            throw new \InvalidArgumentException("baseUrl must begin with http:// or https://, and is \"$baseUrl\".");
        }
        return str_ends_with($address, '/v1') ? $address : "$address/api/v1";
    }
}
