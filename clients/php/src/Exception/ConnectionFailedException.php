<?php

declare(strict_types=1);

namespace Postrider\Exception;

/** No answer. Whether the request was carried out is not known. */
class ConnectionFailedException extends PostriderException
{
}
