# Completions of pubctl for fish. Save them as ~/.config/fish/completions/pubctl.fish, or load them with:
#   pubctl completions fish | source
# Written by pubctl itself from its commands; changes made here are lost.

# Prints what may follow a command, a line each: "command", "option" or "argument", the word or the place of the
# argument, where its values come from, and what it stands for.
function __pubctl_table
    switch "$argv"
        case ''
            printf '%s\t%s\t%s\t%s\n' \
            'command' 'publications' '-' 'Upload books and manage publications' \
            'command' 'editions' '-' 'Manage the versions of a publication' \
            'command' 'uploads' '-' 'Upload step by step, and resume unfinished uploads' \
            'command' 'metadata-keys' '-' 'Manage custom metadata keys' \
            'command' 'catalogue' '-' 'Compare what shall be at the service with what is there' \
            'command' 'inspect' '-' 'Read type, metadata, cover and problems from local files' \
            'command' 'assets' '-' 'Manage fonts and other assets' \
            'command' 'domains' '-' 'Manage the domains that readers may be embedded on' \
            'command' 'reader-instances' '-' 'Manage reader configurations' \
            'command' 'reader-users' '-' 'Show who reads, and their progress' \
            'command' 'analytics' '-' 'Show what is read' \
            'command' 'users' '-' 'Manage the users of the organisation' \
            'command' 'apikeys' '-' 'Manage your API keys' \
            'command' 'whoami' '-' 'Show which key and address are used, and what the key may do' \
            'command' 'doctor' '-' 'Check this machine, the network and the service, and say what to do' \
            'command' 'api' '-' 'Make any request to the service and print its answer as JSON' \
            'command' 'profile' '-' 'Manage the saved addresses and keys of services' \
            'command' 'sandbox' '-' 'Run the service on this machine, to try things out' \
            'command' 'help' '-' 'Show the help of a command, or of environment, exit-codes or formatting' \
            'command' 'commands' '-' 'Print every command with its arguments and options as JSON' \
            'command' 'completions' '-' 'Print a script that completes commands in your shell' \
            'option' '--profile' 'ask:profiles' 'the profile to use; "sandbox" is built in' \
            'option' '-p' 'ask:profiles' 'the profile to use; "sandbox" is built in' \
            'option' '--base-url' 'none' 'the address of the service' \
            'option' '--api-key-file' 'files' 'read the key from a file, or from standard input with -' \
            'option' '--output' 'words:table,json,ndjson,csv' 'how to print results' \
            'option' '-o' 'words:table,json,ndjson,csv' 'how to print results' \
            'option' '--json' '-' 'short for -o json' \
            'option' '--fields' 'none' 'only these fields, separated by commas' \
            'option' '--query' 'none' 'print what a JMESPath expression selects from the result' \
            'option' '--quiet' '-' 'print nothing but the result' \
            'option' '-q' '-' 'print nothing but the result' \
            'option' '--verbose' '-' 'show requests on standard error, without secrets' \
            'option' '-v' '-' 'show requests on standard error, without secrets' \
            'option' '--color' 'words:auto,always,never' 'whether to use colour' \
            'option' '--no-input' '-' 'never ask; fail if an answer is needed' \
            'option' '--yes' '-' 'answer every question with yes' \
            'option' '-y' '-' 'answer every question with yes' \
            'option' '--dry-run' '-' 'print the requests that would change something, and send none of them' \
            'option' '--timeout' 'none' 'the longest wait, such as 30s or 10m' \
            'option' '--version' '-' 'print the version' \
            'option' '-V' '-' 'print the version' \
            'option' '--help' '-' 'show help' \
            'option' '-h' '-' 'show help'
        case 'publications'
            printf '%s\t%s\t%s\t%s\n' \
            'command' 'list' '-' 'List publications' \
            'command' 'stats' '-' 'Show how many publications and editions there are' \
            'command' 'get' '-' 'Show a publication with its editions' \
            'command' 'upload' '-' 'Upload books, each as a new publication, and wait for them' \
            'command' 'create' '-' 'Create a publication and ask for its upload session' \
            'command' 'update' '-' 'Change the language, description, samples or audience of a publication' \
            'command' 'delete' '-' 'Delete publications with their editions' \
            'command' 'wait' '-' 'Wait until publications are processed'
        case 'publications list'
            printf '%s\t%s\t%s\t%s\n' \
            'option' '--limit' 'none' 'how many items in all' \
            'option' '--all' '-' 'all items' \
            'option' '--search' 'none' 'only those that match a text' \
            'option' '--status' 'words:draft,live' 'only those of a status' \
            'option' '--format' 'words:epub-reflowable,epub-fixed,pdf,audio' 'only those of a format' \
            'option' '--collection' 'none' 'only those of a collection' \
            'option' '--sort' 'words:title,author,createdAtIso' 'what to sort by' \
            'option' '--asc' '-' 'ascending: A to Z, the oldest first' \
            'option' '--desc' '-' 'descending: Z to A, the newest first'
        case 'publications stats'
            printf '%s\t%s\t%s\t%s\n' \

        case 'publications get'
            printf '%s\t%s\t%s\t%s\n' \
            'argument' '1' 'ask:publications' '-'
        case 'publications upload'
            printf '%s\t%s\t%s\t%s\n' \
            'option' '--title' 'none' 'the title, in place of the file\'s own' \
            'option' '--author' 'none' 'an author, in place of the file\'s own' \
            'option' '--language' 'none' 'a tag such as en-GB, or a name such as English' \
            'option' '--description' 'none' 'what the book is about' \
            'option' '--isbn' 'none' 'its ISBN, with or without hyphens' \
            'option' '--publisher' 'none' 'who publishes it' \
            'option' '--metadata' 'ask:metadata' 'a metadata value; key:=5 gives a number or other JSON' \
            'option' '--cover' 'files' 'an image file; "auto" for the cover in the book, "none" for none' \
            'option' '--collection' 'none' 'a collection to put it in' \
            'option' '--sample-item' 'none' 'an item of the book that anybody may read' \
            'option' '--internal' '-' 'only for the internal reading instance' \
            'option' '--no-wait' '-' 'do not wait until the service has processed the file' \
            'option' '--no-check' '-' 'send the file even if it has problems' \
            'option' '--strict' '-' 'stop on warnings as well as on errors' \
            'option' '--concurrency' 'none' 'how many files are sent at a time' \
            'option' '--stop-on-error' '-' 'start no other file after one has failed' \
            'option' '--continue' '-' 'continue with the other files if one fails, which is the default' \
            'option' '--report' 'files' 'write the receipts to a .json, .csv, .xml (JUnit) or .html file' \
            'option' '--manifest' 'files' 'a sheet of books: CSV, YAML or JSON whose columns are the names of the flags' \
            'option' '--encoding' 'none' 'the sheet\'s encoding if it is not Unicode, such as windows-1252' \
            'option' '--recursive' '-' 'include the files in subfolders' \
            'option' '--skip-existing' '-' 'leave out what is there with the same content; other content of a book that is there is a conflict' \
            'option' '--if-changed' 'words:edition,new,fail' 'what becomes of a book that is there with other content; looks for it as --skip-existing does' \
            'argument' '1' 'files' '-' \
            'argument' '...' 'files' '-'
        case 'publications create'
            printf '%s\t%s\t%s\t%s\n' \
            'option' '--title' 'none' 'the title, in place of the file\'s own' \
            'option' '--author' 'none' 'an author, in place of the file\'s own' \
            'option' '--language' 'none' 'a tag such as en-GB, or a name such as English' \
            'option' '--description' 'none' 'what the book is about' \
            'option' '--isbn' 'none' 'its ISBN, with or without hyphens' \
            'option' '--publisher' 'none' 'who publishes it' \
            'option' '--metadata' 'ask:metadata' 'a metadata value; key:=5 gives a number or other JSON' \
            'option' '--cover' 'files' 'an image file; "auto" for the cover in the book, "none" for none' \
            'option' '--collection' 'none' 'a collection to put it in' \
            'option' '--sample-item' 'none' 'an item of the book that anybody may read' \
            'option' '--internal' '-' 'only for the internal reading instance' \
            'option' '--request-id' 'none' 'the id of the upload request; a new one if it is not given' \
            'option' '--no-check' '-' 'create it even if the file has problems' \
            'option' '--strict' '-' 'stop on warnings as well as on errors' \
            'argument' '1' 'files' '-'
        case 'publications update'
            printf '%s\t%s\t%s\t%s\n' \
            'option' '--language' 'none' 'a tag such as en-GB, or a name such as English' \
            'option' '--description' 'none' 'what it is about' \
            'option' '--sample-item' 'none' 'an item that anybody may read' \
            'option' '--no-sample-items' '-' 'no items that anybody may read' \
            'option' '--internal' '-' 'only for the internal reading instance' \
            'option' '--no-internal' '-' 'for every reading instance' \
            'argument' '1' 'ask:publications' '-'
        case 'publications delete'
            printf '%s\t%s\t%s\t%s\n' \
            'argument' '1' 'ask:publications' '-' \
            'argument' '...' 'ask:publications' '-'
        case 'publications wait'
            printf '%s\t%s\t%s\t%s\n' \
            'argument' '1' 'ask:publications' '-' \
            'argument' '...' 'ask:publications' '-'
        case 'editions'
            printf '%s\t%s\t%s\t%s\n' \
            'command' 'list' '-' 'List the editions of a publication' \
            'command' 'get' '-' 'Show an edition' \
            'command' 'upload' '-' 'Upload a file as a new edition of a publication, and wait for it' \
            'command' 'create' '-' 'Create an edition of a publication and ask for its upload session' \
            'command' 'wait' '-' 'Wait until an edition is processed'
        case 'editions list'
            printf '%s\t%s\t%s\t%s\n' \
            'option' '--limit' 'none' 'how many items in all' \
            'option' '--all' '-' 'all items, which is the default' \
            'argument' '1' 'ask:publications' '-'
        case 'editions get'
            printf '%s\t%s\t%s\t%s\n' \
            'argument' '1' 'ask:publications' '-' \
            'argument' '2' 'ask:editions' '-'
        case 'editions upload'
            printf '%s\t%s\t%s\t%s\n' \
            'option' '--title' 'none' 'the title, in place of the file\'s own' \
            'option' '--author' 'none' 'an author, in place of the file\'s own' \
            'option' '--language' 'none' 'a tag such as en-GB, or a name such as English' \
            'option' '--description' 'none' 'what the book is about' \
            'option' '--isbn' 'none' 'its ISBN, with or without hyphens' \
            'option' '--publisher' 'none' 'who publishes it' \
            'option' '--metadata' 'ask:metadata' 'a metadata value; key:=5 gives a number or other JSON' \
            'option' '--cover' 'files' 'an image file; "auto" for the cover in the book, "none" for none' \
            'option' '--collection' 'none' 'a collection to put it in' \
            'option' '--sample-item' 'none' 'an item of the book that anybody may read' \
            'option' '--internal' '-' 'only for the internal reading instance' \
            'option' '--no-wait' '-' 'do not wait until the service has processed the file' \
            'option' '--no-check' '-' 'send the file even if it has problems' \
            'option' '--strict' '-' 'stop on warnings as well as on errors' \
            'argument' '1' 'ask:publications' '-' \
            'argument' '2' 'files' '-'
        case 'editions create'
            printf '%s\t%s\t%s\t%s\n' \
            'option' '--title' 'none' 'the title, in place of the file\'s own' \
            'option' '--author' 'none' 'an author, in place of the file\'s own' \
            'option' '--language' 'none' 'a tag such as en-GB, or a name such as English' \
            'option' '--description' 'none' 'what the book is about' \
            'option' '--isbn' 'none' 'its ISBN, with or without hyphens' \
            'option' '--publisher' 'none' 'who publishes it' \
            'option' '--metadata' 'ask:metadata' 'a metadata value; key:=5 gives a number or other JSON' \
            'option' '--cover' 'files' 'an image file; "auto" for the cover in the book, "none" for none' \
            'option' '--collection' 'none' 'a collection to put it in' \
            'option' '--sample-item' 'none' 'an item of the book that anybody may read' \
            'option' '--internal' '-' 'only for the internal reading instance' \
            'option' '--request-id' 'none' 'the id of the upload request; a new one if it is not given' \
            'option' '--no-check' '-' 'create it even if the file has problems' \
            'option' '--strict' '-' 'stop on warnings as well as on errors' \
            'argument' '1' 'ask:publications' '-' \
            'argument' '2' 'files' '-'
        case 'editions wait'
            printf '%s\t%s\t%s\t%s\n' \
            'argument' '1' 'ask:publications' '-' \
            'argument' '2' 'ask:editions' '-'
        case 'uploads'
            printf '%s\t%s\t%s\t%s\n' \
            'command' 'create' '-' 'Ask for an upload session for a file' \
            'command' 'put' '-' 'Send a file to an upload session' \
            'command' 'list' '-' 'List unfinished uploads' \
            'command' 'resume' '-' 'Resume unfinished uploads' \
            'command' 'forget' '-' 'Remove uploads from the journal; nothing changes on the service'
        case 'uploads create'
            printf '%s\t%s\t%s\t%s\n' \
            'option' '--cover' 'files' 'ask for a session for this cover image as well' \
            'option' '--request-id' 'none' 'the upload request to get a new session for; a new one if it is not given' \
            'argument' '1' 'files' '-'
        case 'uploads put'
            printf '%s\t%s\t%s\t%s\n' \
            'option' '--session' 'files' 'what "uploads create", "publications create" or "editions create" printed as JSON, or - for standard input' \
            'option' '--cover' 'files' 'the image to send as well; "auto" for the cover in the book' \
            'argument' '1' 'files' '-'
        case 'uploads list'
            printf '%s\t%s\t%s\t%s\n' \
            'option' '--limit' 'none' 'how many items in all' \
            'option' '--all' '-' 'all items, which is the default' \
            'option' '--finished' '-' 'include finished uploads'
        case 'uploads resume'
            printf '%s\t%s\t%s\t%s\n' \
            'option' '--concurrency' 'none' 'how many files are sent at a time' \
            'option' '--stop-on-error' '-' 'start no other file after one has failed' \
            'option' '--continue' '-' 'continue with the other files if one fails, which is the default' \
            'option' '--report' 'files' 'write the receipts to a .json, .csv, .xml (JUnit) or .html file' \
            'option' '--no-wait' '-' 'do not wait until the service has processed the files' \
            'argument' '1' 'ask:uploads' '-' \
            'argument' '...' 'ask:uploads' '-'
        case 'uploads forget'
            printf '%s\t%s\t%s\t%s\n' \
            'argument' '1' 'ask:uploads' '-' \
            'argument' '...' 'ask:uploads' '-'
        case 'metadata-keys'
            printf '%s\t%s\t%s\t%s\n' \
            'command' 'list' '-' 'List custom metadata keys' \
            'command' 'create' '-' 'Create a metadata key' \
            'command' 'archive' '-' 'Archive metadata keys, so that they can be deleted or restored' \
            'command' 'restore' '-' 'Make archived metadata keys active again' \
            'command' 'delete' '-' 'Delete archived metadata keys'
        case 'metadata-keys list'
            printf '%s\t%s\t%s\t%s\n' \
            'option' '--limit' 'none' 'how many items in all' \
            'option' '--all' '-' 'all items, which is the default'
        case 'metadata-keys create'
            printf '%s\t%s\t%s\t%s\n' \
            'option' '--label' 'none' 'the name that people see' \
            'argument' '1' 'none' '-'
        case 'metadata-keys archive'
            printf '%s\t%s\t%s\t%s\n' \
            'argument' '1' 'ask:metadata-keys' '-' \
            'argument' '...' 'ask:metadata-keys' '-'
        case 'metadata-keys restore'
            printf '%s\t%s\t%s\t%s\n' \
            'argument' '1' 'ask:metadata-keys' '-' \
            'argument' '...' 'ask:metadata-keys' '-'
        case 'metadata-keys delete'
            printf '%s\t%s\t%s\t%s\n' \
            'option' '--archive' '-' 'archive them first, since an active key cannot be deleted' \
            'argument' '1' 'ask:metadata-keys' '-' \
            'argument' '...' 'ask:metadata-keys' '-'
        case 'catalogue'
            printf '%s\t%s\t%s\t%s\n' \
            'command' 'apply' '-' 'Carry out a plan: upload what is new or changed, and change what differs' \
            'command' 'index' '-' 'Show what is kept on this machine of the publications at each service'
        case 'catalogue apply'
            printf '%s\t%s\t%s\t%s\n' \
            'option' '--no-wait' '-' 'do not wait until the service has processed the files' \
            'option' '--concurrency' 'none' 'how many files are sent at a time' \
            'option' '--stop-on-error' '-' 'start no other file after one has failed' \
            'option' '--continue' '-' 'continue with the other files if one fails, which is the default' \
            'option' '--report' 'files' 'write the receipts to a .json, .csv, .xml (JUnit) or .html file' \
            'argument' '1' 'none' '-'
        case 'catalogue index'
            printf '%s\t%s\t%s\t%s\n' \

        case 'inspect'
            printf '%s\t%s\t%s\t%s\n' \
            'option' '--strict' '-' 'end with exit code 2 for warnings as well as for errors' \
            'argument' '1' 'files' '-' \
            'argument' '...' 'files' '-'
        case 'assets'
            printf '%s\t%s\t%s\t%s\n' \
            'command' 'list' '-' 'List assets' \
            'command' 'upload' '-' 'Upload assets such as fonts' \
            'command' 'rename' '-' 'Rename an asset' \
            'command' 'delete' '-' 'Delete assets'
        case 'assets list'
            printf '%s\t%s\t%s\t%s\n' \
            'option' '--limit' 'none' 'how many items in all' \
            'option' '--all' '-' 'all items, which is the default'
        case 'assets upload'
            printf '%s\t%s\t%s\t%s\n' \
            'option' '--type' 'none' 'what the files are, in the words of the service' \
            'argument' '1' 'files' '-' \
            'argument' '...' 'files' '-'
        case 'assets rename'
            printf '%s\t%s\t%s\t%s\n' \
            'argument' '1' 'ask:assets' '-' \
            'argument' '2' 'none' '-'
        case 'assets delete'
            printf '%s\t%s\t%s\t%s\n' \
            'argument' '1' 'ask:assets' '-' \
            'argument' '...' 'ask:assets' '-'
        case 'domains'
            printf '%s\t%s\t%s\t%s\n' \
            'command' 'list' '-' 'List permitted domains' \
            'command' 'get' '-' 'Show a permitted domain' \
            'command' 'create' '-' 'Permit a domain' \
            'command' 'update' '-' 'Change a permitted domain\'s description' \
            'command' 'delete' '-' 'Delete permitted domains that no reader instance uses'
        case 'domains list'
            printf '%s\t%s\t%s\t%s\n' \
            'option' '--limit' 'none' 'how many items in all' \
            'option' '--all' '-' 'all items, which is the default'
        case 'domains get'
            printf '%s\t%s\t%s\t%s\n' \
            'argument' '1' 'ask:domains' '-'
        case 'domains create'
            printf '%s\t%s\t%s\t%s\n' \
            'option' '--description' 'none' 'what the domain is for' \
            'argument' '1' 'none' '-'
        case 'domains update'
            printf '%s\t%s\t%s\t%s\n' \
            'option' '--description' 'none' 'what the domain is for' \
            'argument' '1' 'ask:domains' '-'
        case 'domains delete'
            printf '%s\t%s\t%s\t%s\n' \
            'argument' '1' 'ask:domains' '-' \
            'argument' '...' 'ask:domains' '-'
        case 'reader-instances'
            printf '%s\t%s\t%s\t%s\n' \
            'command' 'list' '-' 'List reader instances' \
            'command' 'get' '-' 'Show a reader instance' \
            'command' 'copy' '-' 'Copy a reader instance' \
            'command' 'delete' '-' 'Delete reader instances'
        case 'reader-instances list'
            printf '%s\t%s\t%s\t%s\n' \
            'option' '--limit' 'none' 'how many items in all' \
            'option' '--all' '-' 'all items'
        case 'reader-instances get'
            printf '%s\t%s\t%s\t%s\n' \
            'argument' '1' 'ask:reader-instances' '-'
        case 'reader-instances copy'
            printf '%s\t%s\t%s\t%s\n' \
            'argument' '1' 'ask:reader-instances' '-'
        case 'reader-instances delete'
            printf '%s\t%s\t%s\t%s\n' \
            'argument' '1' 'ask:reader-instances' '-' \
            'argument' '...' 'ask:reader-instances' '-'
        case 'reader-users'
            printf '%s\t%s\t%s\t%s\n' \
            'command' 'list' '-' 'List the devices and users that read publications' \
            'command' 'get' '-' 'Show a reader user with its reading history'
        case 'reader-users list'
            printf '%s\t%s\t%s\t%s\n' \
            'option' '--limit' 'none' 'how many items in all' \
            'option' '--all' '-' 'all items, which is the default'
        case 'reader-users get'
            printf '%s\t%s\t%s\t%s\n' \
            'argument' '1' 'ask:reader-users' '-'
        case 'analytics'
            printf '%s\t%s\t%s\t%s\n' \
            'command' 'scope' '-' 'Show views and readers of the whole scope' \
            'command' 'popular' '-' 'List the most viewed publications' \
            'command' 'publication' '-' 'Show how a publication is read' \
            'command' 'activity' '-' 'Show a publication\'s views day by day'
        case 'analytics scope'
            printf '%s\t%s\t%s\t%s\n' \
            'option' '--from' 'none' 'the first month, YYYY-MM' \
            'option' '--to' 'none' 'the last month, YYYY-MM' \
            'option' '--granularity' 'words:total,month' 'totals alone, or by month'
        case 'analytics popular'
            printf '%s\t%s\t%s\t%s\n' \
            'option' '--limit' 'none' 'how many items in all' \
            'option' '--all' '-' 'all items, which is the default'
        case 'analytics publication'
            printf '%s\t%s\t%s\t%s\n' \
            'option' '--from' 'none' 'the first month, YYYY-MM' \
            'option' '--to' 'none' 'the last month, YYYY-MM' \
            'option' '--granularity' 'words:total,month' 'totals alone, or by month' \
            'argument' '1' 'ask:publications' '-'
        case 'analytics activity'
            printf '%s\t%s\t%s\t%s\n' \
            'option' '--from' 'none' 'the first day, YYYY-MM-DD' \
            'option' '--to' 'none' 'the last day, YYYY-MM-DD' \
            'argument' '1' 'ask:publications' '-'
        case 'users'
            printf '%s\t%s\t%s\t%s\n' \
            'command' 'list' '-' 'List the users of the organisation' \
            'command' 'delete-me' '-' 'Delete the user that the key belongs to'
        case 'users list'
            printf '%s\t%s\t%s\t%s\n' \
            'option' '--limit' 'none' 'how many items in all' \
            'option' '--all' '-' 'all items, which is the default' \
            'option' '--search' 'none' 'only those that match a text'
        case 'users delete-me'
            printf '%s\t%s\t%s\t%s\n' \

        case 'apikeys'
            printf '%s\t%s\t%s\t%s\n' \
            'command' 'list' '-' 'List your API keys' \
            'command' 'get' '-' 'Show an API key' \
            'command' 'update' '-' 'Rename an API key, change its scopes, or switch it on or off' \
            'command' 'delete' '-' 'Delete API keys'
        case 'apikeys list'
            printf '%s\t%s\t%s\t%s\n' \
            'option' '--limit' 'none' 'how many items in all' \
            'option' '--all' '-' 'all items, which is the default'
        case 'apikeys get'
            printf '%s\t%s\t%s\t%s\n' \
            'argument' '1' 'ask:apikeys' '-'
        case 'apikeys update'
            printf '%s\t%s\t%s\t%s\n' \
            'option' '--name' 'none' 'the name of the key' \
            'option' '--scope' 'words:read,write,delete' 'what it may do' \
            'option' '--status' 'words:active,inactive' 'whether it can be used' \
            'argument' '1' 'ask:apikeys' '-'
        case 'apikeys delete'
            printf '%s\t%s\t%s\t%s\n' \
            'argument' '1' 'ask:apikeys' '-' \
            'argument' '...' 'ask:apikeys' '-'
        case 'whoami'
            printf '%s\t%s\t%s\t%s\n' \

        case 'doctor'
            printf '%s\t%s\t%s\t%s\n' \
            'option' '--session' 'files' 'check the store that this upload session names, or - for standard input'
        case 'api'
            printf '%s\t%s\t%s\t%s\n' \
            'option' '--param' 'none' 'a query parameter' \
            'option' '--field' 'none' 'a field of the JSON body, as text; key:=value gives JSON' \
            'option' '--input' 'files' 'the JSON body from a file, or from standard input with -' \
            'option' '--paginate' '-' 'follow the pages and print them as one answer; with ndjson, a line for each item' \
            'option' '--include' '-' 'print the status and headers on standard error first' \
            'argument' '1' 'none' '-' \
            'argument' '2' 'none' '-'
        case 'profile'
            printf '%s\t%s\t%s\t%s\n' \
            'command' 'setup' '-' 'Set up a profile: asks for what is missing, and checks the key first' \
            'command' 'list' '-' 'List the profiles' \
            'command' 'show' '-' 'Show a profile, with its key masked' \
            'command' 'use' '-' 'Set the profile that is used without --profile' \
            'command' 'remove' '-' 'Remove a profile and its key from this machine'
        case 'profile setup'
            printf '%s\t%s\t%s\t%s\n' \
            'option' '--key-command' 'none' 'a command that prints the key, which is then not stored' \
            'option' '--allow-http' '-' 'let the key travel over plain http to this address' \
            'option' '--multi-value' 'words:repeat,comma' 'how parameters with several values travel' \
            'option' '--no-verify' '-' 'save without checking the key against the service' \
            'argument' '1' 'ask:profiles' '-'
        case 'profile list'
            printf '%s\t%s\t%s\t%s\n' \

        case 'profile show'
            printf '%s\t%s\t%s\t%s\n' \
            'argument' '1' 'ask:profiles' '-'
        case 'profile use'
            printf '%s\t%s\t%s\t%s\n' \
            'argument' '1' 'ask:profiles' '-'
        case 'profile remove'
            printf '%s\t%s\t%s\t%s\n' \
            'argument' '1' 'ask:profiles' '-'
        case 'sandbox'
            printf '%s\t%s\t%s\t%s\n' \
            'command' 'start' '-' 'Run the sandbox as a server of its own until it is interrupted' \
            'command' 'status' '-' 'Show where the sandbox keeps its data, and its keys' \
            'command' 'reset' '-' 'Delete everything in the sandbox and start over' \
            'command' 'book' '-' 'Write a small EPUB to try uploads with' \
            'command' 'openapi' '-' 'Print the service\'s OpenAPI 3.1 document'
        case 'sandbox start'
            printf '%s\t%s\t%s\t%s\n' \
            'option' '--port' 'none' 'the port to listen on; a free one if it is not given' \
            'option' '--data-dir' 'folders' 'where to keep its data' \
            'option' '--processing-delay' 'none' 'how long each processing step takes' \
            'option' '--session-life' 'none' 'how long an upload session can be used' \
            'option' '--fault' 'none' 'what goes wrong on purpose, with its share of the requests: reset, 503, 429, 500, cut or stall; slow takes a duration'
        case 'sandbox status'
            printf '%s\t%s\t%s\t%s\n' \
            'option' '--data-dir' 'folders' 'where it keeps its data'
        case 'sandbox reset'
            printf '%s\t%s\t%s\t%s\n' \
            'option' '--data-dir' 'folders' 'where it keeps its data'
        case 'sandbox book'
            printf '%s\t%s\t%s\t%s\n' \
            'option' '--title' 'none' 'the title of the book' \
            'option' '--force' '-' 'replace the file if there is one' \
            'argument' '1' 'files' '-'
        case 'sandbox openapi'
            printf '%s\t%s\t%s\t%s\n' \

        case 'help'
            printf '%s\t%s\t%s\t%s\n' \
            'argument' '1' 'none' '-' \
            'argument' '...' 'none' '-'
        case 'commands'
            printf '%s\t%s\t%s\t%s\n' \

        case 'completions'
            printf '%s\t%s\t%s\t%s\n' \
            'argument' '1' 'words:bash,zsh,fish,powershell' '-'
    end
end

# Prints the values of a source; what was typed before the value, as --output= is, stands before each.
function __pubctl_values --argument-names before source
    set -l typed (commandline -opc) (commandline -ct)
    switch $source
        case 'words:*'
            printf "$before%s\n" (string split , -- (string replace words: '' -- $source))
        case 'ask:*'
            # What was typed goes along as arguments; nothing of it, or of the answer, is ever run.
            for line in (command pubctl __complete (string replace ask: '' -- $source) $typed[2..-1] 2>/dev/null)
                printf '%s%s\n' $before $line
            end
        case files
            for line in (__fish_complete_path (string sub --start (math (string length -- "$before") + 1) -- $typed[-1]))
                printf '%s%s\n' $before $line
            end
        case folders
            for line in (__fish_complete_directories (string sub --start (math (string length -- "$before") + 1) -- $typed[-1]))
                printf '%s%s\n' $before $line
            end
    end
end

function __pubctl
    set -l root (__pubctl_table '')
    set -l table $root
    set -l current (commandline -ct)
    set -l typed (commandline -opc)
    set -e typed[1]
    set -l chain
    set -l at 1
    set -l pending
    set -l only_arguments no
    set -l helping no
    for word in $typed
        if test (count $pending) -gt 0
            set pending
        else if test $only_arguments = yes
            set at (math $at + 1)
        else if test "x$word" = x--
            set only_arguments yes
        else if string match -q -- '-*' $word
            set pending (__pubctl_source $word $table $root)
        else if test "x$word" = xhelp -a (count $chain) -eq 0
            set helping yes
        else if contains -- $word (string replace -rf '^command\t([^\t]*)\t.*$' '$1' -- $table)
            set -a chain $word
            set table (__pubctl_table "$chain")
        else
            set at (math $at + 1)
        end
    end

    if test (count $pending) -gt 0
        __pubctl_values '' $pending
    else if test $only_arguments = no; and string match -q -- '--*=*' $current
        set -l option (string replace -r '=.*$' '' -- $current)
        set pending (__pubctl_source $option $table $root)
        test (count $pending) -gt 0; and __pubctl_values "$option=" $pending
    else if test $only_arguments = no; and string match -q -- '-*' $current
        test (count $chain) -eq 0; and set table
        string replace -rf '^option\t([^\t]*)\t[^\t]*\t(.*)$' '$1\t$2' -- $table $root
    else if string match -qr '^command\t' -- $table; or test $helping = yes
        string replace -rf '^command\t([^\t]*)\t[^\t]*\t(.*)$' '$1\t$2' -- $table
        if test $helping = yes -a (count $chain) -eq 0
            printf '%s\t%s\n' environment 'The environment variables that pubctl reads'
            printf '%s\t%s\n' exit-codes 'What the exit code of a command says'
            printf '%s\t%s\n' formatting 'How results are printed, and how to choose what is'
        end
    else
        set -l source (string replace -rf "^argument\t($at|\.\.\.)\t([^\t]*)\t.*\$" '$2' -- $table)
        test (count $source) -gt 0; and __pubctl_values '' $source[1]
    end
end

# Prints where the value of an option comes from, if it takes one.
function __pubctl_source --argument-names option
    string replace -rf "^option\t"(string escape --style=regex -- $option)"\t([^-\t][^\t]*)\t.*\$" '$1' -- $argv[2..-1] | head -n 1
end

complete -c pubctl -f -a '(__pubctl)'
