# Completions of pubctl for PowerShell. Add this to your profile:
#   pubctl completions powershell | Out-String | Invoke-Expression
# Written by pubctl itself from its commands; changes made here are lost.

# What may follow a command: the commands below it and its options, each with what it stands for; those options that take
# a value, each with where the value comes from; and where its arguments come from, of which the last one may come again
# when IsVariadic. These are lists, since the names in a table of PowerShell do not tell -v from -V.
$global:PubctlTable = @{
  '' = @{
    Commands = @(
      'publications Upload books and manage publications'
      'editions Manage the versions of a publication'
      'uploads Upload step by step, and resume unfinished uploads'
      'metadata-keys Manage custom metadata keys'
      'catalogue Compare what shall be at the service with what is there'
      'inspect Read type, metadata, cover and problems from local files'
      'assets Manage fonts and other assets'
      'domains Manage the domains that readers may be embedded on'
      'reader-instances Manage reader configurations'
      'reader-users Show who reads, and their progress'
      'analytics Show what is read'
      'users Manage the users of the organisation'
      'apikeys Manage your API keys'
      'whoami Show which key and address are used, and what the key may do'
      'doctor Check this machine, the network and the service, and say what to do'
      'api Make any request to the service and print its answer as JSON'
      'profile Manage the saved addresses and keys of services'
      'sandbox Run the service on this machine, to try things out'
      'help Show the help of a command, or of environment, exit-codes or formatting'
      'commands Print every command with its arguments and options as JSON'
      'completions Print a script that completes commands in your shell'
    )
    Options = @(
      '--profile the profile to use; "sandbox" is built in'
      '-p the profile to use; "sandbox" is built in'
      '--base-url the address of the service'
      '--api-key-file read the key from a file, or from standard input with -'
      '--output how to print results'
      '-o how to print results'
      '--json short for -o json'
      '--fields only these fields, separated by commas'
      '--query print what a JMESPath expression selects from the result'
      '--quiet print nothing but the result'
      '-q print nothing but the result'
      '--verbose show requests on standard error, without secrets'
      '-v show requests on standard error, without secrets'
      '--color whether to use colour'
      '--no-input never ask; fail if an answer is needed'
      '--yes answer every question with yes'
      '-y answer every question with yes'
      '--dry-run print the requests that would change something, and send none of them'
      '--timeout the longest wait, such as 30s or 10m'
      '--version print the version'
      '-V print the version'
      '--help show help'
      '-h show help'
    )
    Sources = @(
      '--profile ask:profiles'
      '-p ask:profiles'
      '--base-url none'
      '--api-key-file files'
      '--output words:table,json,ndjson,csv'
      '-o words:table,json,ndjson,csv'
      '--fields none'
      '--query none'
      '--color words:auto,always,never'
      '--timeout none'
    )
    Arguments = @()
    IsVariadic = $false
  }
  'publications' = @{
    Commands = @(
      'list List publications'
      'stats Show how many publications and editions there are'
      'get Show a publication with its editions'
      'upload Upload books, each as a new publication, and wait for them'
      'create Create a publication and ask for its upload session'
      'update Change the language, description, samples or audience of a publication'
      'delete Delete publications with their editions'
      'wait Wait until publications are processed'
    )
    Options = @()
    Sources = @()
    Arguments = @()
    IsVariadic = $false
  }
  'publications list' = @{
    Commands = @()
    Options = @(
      '--limit how many items in all'
      '--all all items'
      '--search only those that match a text'
      '--status only those of a status'
      '--format only those of a format'
      '--collection only those of a collection'
      '--sort what to sort by'
      '--asc ascending: A to Z, the oldest first'
      '--desc descending: Z to A, the newest first'
    )
    Sources = @(
      '--limit none'
      '--search none'
      '--status words:draft,live'
      '--format words:epub-reflowable,epub-fixed,pdf,audio'
      '--collection none'
      '--sort words:title,author,createdAtIso'
    )
    Arguments = @()
    IsVariadic = $false
  }
  'publications stats' = @{
    Commands = @()
    Options = @()
    Sources = @()
    Arguments = @()
    IsVariadic = $false
  }
  'publications get' = @{
    Commands = @()
    Options = @()
    Sources = @()
    Arguments = @(
      'ask:publications'
    )
    IsVariadic = $false
  }
  'publications upload' = @{
    Commands = @()
    Options = @(
      '--title the title, in place of the file''s own'
      '--author an author, in place of the file''s own'
      '--language a tag such as en-GB, or a name such as English'
      '--description what the book is about'
      '--isbn its ISBN, with or without hyphens'
      '--publisher who publishes it'
      '--metadata a metadata value; key:=5 gives a number or other JSON'
      '--cover an image file; "auto" for the cover in the book, "none" for none'
      '--collection a collection to put it in'
      '--sample-item an item of the book that anybody may read'
      '--internal only for the internal reading instance'
      '--no-wait do not wait until the service has processed the file'
      '--no-check send the file even if it has problems'
      '--strict stop on warnings as well as on errors'
      '--concurrency how many files are sent at a time'
      '--stop-on-error start no other file after one has failed'
      '--continue continue with the other files if one fails, which is the default'
      '--report write the receipts to a .json, .csv, .xml (JUnit) or .html file'
      '--manifest a sheet of books: CSV, YAML or JSON whose columns are the names of the flags'
      '--encoding the sheet''s encoding if it is not Unicode, such as windows-1252'
      '--recursive include the files in subfolders'
      '--skip-existing leave out what is there with the same content; other content of a book that is there is a conflict'
      '--if-changed what becomes of a book that is there with other content; looks for it as --skip-existing does'
    )
    Sources = @(
      '--title none'
      '--author none'
      '--language none'
      '--description none'
      '--isbn none'
      '--publisher none'
      '--metadata ask:metadata'
      '--cover files'
      '--collection none'
      '--sample-item none'
      '--concurrency none'
      '--report files'
      '--manifest files'
      '--encoding none'
      '--if-changed words:edition,new,fail'
    )
    Arguments = @(
      'files'
    )
    IsVariadic = $true
  }
  'publications create' = @{
    Commands = @()
    Options = @(
      '--title the title, in place of the file''s own'
      '--author an author, in place of the file''s own'
      '--language a tag such as en-GB, or a name such as English'
      '--description what the book is about'
      '--isbn its ISBN, with or without hyphens'
      '--publisher who publishes it'
      '--metadata a metadata value; key:=5 gives a number or other JSON'
      '--cover an image file; "auto" for the cover in the book, "none" for none'
      '--collection a collection to put it in'
      '--sample-item an item of the book that anybody may read'
      '--internal only for the internal reading instance'
      '--request-id the id of the upload request; a new one if it is not given'
      '--no-check create it even if the file has problems'
      '--strict stop on warnings as well as on errors'
    )
    Sources = @(
      '--title none'
      '--author none'
      '--language none'
      '--description none'
      '--isbn none'
      '--publisher none'
      '--metadata ask:metadata'
      '--cover files'
      '--collection none'
      '--sample-item none'
      '--request-id none'
    )
    Arguments = @(
      'files'
    )
    IsVariadic = $false
  }
  'publications update' = @{
    Commands = @()
    Options = @(
      '--language a tag such as en-GB, or a name such as English'
      '--description what it is about'
      '--sample-item an item that anybody may read'
      '--no-sample-items no items that anybody may read'
      '--internal only for the internal reading instance'
      '--no-internal for every reading instance'
    )
    Sources = @(
      '--language none'
      '--description none'
      '--sample-item none'
    )
    Arguments = @(
      'ask:publications'
    )
    IsVariadic = $false
  }
  'publications delete' = @{
    Commands = @()
    Options = @()
    Sources = @()
    Arguments = @(
      'ask:publications'
    )
    IsVariadic = $true
  }
  'publications wait' = @{
    Commands = @()
    Options = @()
    Sources = @()
    Arguments = @(
      'ask:publications'
    )
    IsVariadic = $true
  }
  'editions' = @{
    Commands = @(
      'list List the editions of a publication'
      'get Show an edition'
      'upload Upload a file as a new edition of a publication, and wait for it'
      'create Create an edition of a publication and ask for its upload session'
      'wait Wait until an edition is processed'
    )
    Options = @()
    Sources = @()
    Arguments = @()
    IsVariadic = $false
  }
  'editions list' = @{
    Commands = @()
    Options = @(
      '--limit how many items in all'
      '--all all items, which is the default'
    )
    Sources = @(
      '--limit none'
    )
    Arguments = @(
      'ask:publications'
    )
    IsVariadic = $false
  }
  'editions get' = @{
    Commands = @()
    Options = @()
    Sources = @()
    Arguments = @(
      'ask:publications'
      'ask:editions'
    )
    IsVariadic = $false
  }
  'editions upload' = @{
    Commands = @()
    Options = @(
      '--title the title, in place of the file''s own'
      '--author an author, in place of the file''s own'
      '--language a tag such as en-GB, or a name such as English'
      '--description what the book is about'
      '--isbn its ISBN, with or without hyphens'
      '--publisher who publishes it'
      '--metadata a metadata value; key:=5 gives a number or other JSON'
      '--cover an image file; "auto" for the cover in the book, "none" for none'
      '--collection a collection to put it in'
      '--sample-item an item of the book that anybody may read'
      '--internal only for the internal reading instance'
      '--no-wait do not wait until the service has processed the file'
      '--no-check send the file even if it has problems'
      '--strict stop on warnings as well as on errors'
    )
    Sources = @(
      '--title none'
      '--author none'
      '--language none'
      '--description none'
      '--isbn none'
      '--publisher none'
      '--metadata ask:metadata'
      '--cover files'
      '--collection none'
      '--sample-item none'
    )
    Arguments = @(
      'ask:publications'
      'files'
    )
    IsVariadic = $false
  }
  'editions create' = @{
    Commands = @()
    Options = @(
      '--title the title, in place of the file''s own'
      '--author an author, in place of the file''s own'
      '--language a tag such as en-GB, or a name such as English'
      '--description what the book is about'
      '--isbn its ISBN, with or without hyphens'
      '--publisher who publishes it'
      '--metadata a metadata value; key:=5 gives a number or other JSON'
      '--cover an image file; "auto" for the cover in the book, "none" for none'
      '--collection a collection to put it in'
      '--sample-item an item of the book that anybody may read'
      '--internal only for the internal reading instance'
      '--request-id the id of the upload request; a new one if it is not given'
      '--no-check create it even if the file has problems'
      '--strict stop on warnings as well as on errors'
    )
    Sources = @(
      '--title none'
      '--author none'
      '--language none'
      '--description none'
      '--isbn none'
      '--publisher none'
      '--metadata ask:metadata'
      '--cover files'
      '--collection none'
      '--sample-item none'
      '--request-id none'
    )
    Arguments = @(
      'ask:publications'
      'files'
    )
    IsVariadic = $false
  }
  'editions wait' = @{
    Commands = @()
    Options = @()
    Sources = @()
    Arguments = @(
      'ask:publications'
      'ask:editions'
    )
    IsVariadic = $false
  }
  'uploads' = @{
    Commands = @(
      'create Ask for an upload session for a file'
      'put Send a file to an upload session'
      'list List unfinished uploads'
      'resume Resume unfinished uploads'
      'forget Remove uploads from the journal; nothing changes on the service'
    )
    Options = @()
    Sources = @()
    Arguments = @()
    IsVariadic = $false
  }
  'uploads create' = @{
    Commands = @()
    Options = @(
      '--cover ask for a session for this cover image as well'
      '--request-id the upload request to get a new session for; a new one if it is not given'
    )
    Sources = @(
      '--cover files'
      '--request-id none'
    )
    Arguments = @(
      'files'
    )
    IsVariadic = $false
  }
  'uploads put' = @{
    Commands = @()
    Options = @(
      '--session what "uploads create", "publications create" or "editions create" printed as JSON, or - for standard input'
      '--cover the image to send as well; "auto" for the cover in the book'
    )
    Sources = @(
      '--session files'
      '--cover files'
    )
    Arguments = @(
      'files'
    )
    IsVariadic = $false
  }
  'uploads list' = @{
    Commands = @()
    Options = @(
      '--limit how many items in all'
      '--all all items, which is the default'
      '--finished include finished uploads'
    )
    Sources = @(
      '--limit none'
    )
    Arguments = @()
    IsVariadic = $false
  }
  'uploads resume' = @{
    Commands = @()
    Options = @(
      '--concurrency how many files are sent at a time'
      '--stop-on-error start no other file after one has failed'
      '--continue continue with the other files if one fails, which is the default'
      '--report write the receipts to a .json, .csv, .xml (JUnit) or .html file'
      '--no-wait do not wait until the service has processed the files'
    )
    Sources = @(
      '--concurrency none'
      '--report files'
    )
    Arguments = @(
      'ask:uploads'
    )
    IsVariadic = $true
  }
  'uploads forget' = @{
    Commands = @()
    Options = @()
    Sources = @()
    Arguments = @(
      'ask:uploads'
    )
    IsVariadic = $true
  }
  'metadata-keys' = @{
    Commands = @(
      'list List custom metadata keys'
      'create Create a metadata key'
      'archive Archive metadata keys, so that they can be deleted or restored'
      'restore Make archived metadata keys active again'
      'delete Delete archived metadata keys'
    )
    Options = @()
    Sources = @()
    Arguments = @()
    IsVariadic = $false
  }
  'metadata-keys list' = @{
    Commands = @()
    Options = @(
      '--limit how many items in all'
      '--all all items, which is the default'
    )
    Sources = @(
      '--limit none'
    )
    Arguments = @()
    IsVariadic = $false
  }
  'metadata-keys create' = @{
    Commands = @()
    Options = @(
      '--label the name that people see'
    )
    Sources = @(
      '--label none'
    )
    Arguments = @(
      'none'
    )
    IsVariadic = $false
  }
  'metadata-keys archive' = @{
    Commands = @()
    Options = @()
    Sources = @()
    Arguments = @(
      'ask:metadata-keys'
    )
    IsVariadic = $true
  }
  'metadata-keys restore' = @{
    Commands = @()
    Options = @()
    Sources = @()
    Arguments = @(
      'ask:metadata-keys'
    )
    IsVariadic = $true
  }
  'metadata-keys delete' = @{
    Commands = @()
    Options = @(
      '--archive archive them first, since an active key cannot be deleted'
    )
    Sources = @()
    Arguments = @(
      'ask:metadata-keys'
    )
    IsVariadic = $true
  }
  'catalogue' = @{
    Commands = @(
      'apply Carry out a plan: upload what is new or changed, and change what differs'
      'index Show what is kept on this machine of the publications at each service'
    )
    Options = @()
    Sources = @()
    Arguments = @()
    IsVariadic = $false
  }
  'catalogue apply' = @{
    Commands = @()
    Options = @(
      '--no-wait do not wait until the service has processed the files'
      '--concurrency how many files are sent at a time'
      '--stop-on-error start no other file after one has failed'
      '--continue continue with the other files if one fails, which is the default'
      '--report write the receipts to a .json, .csv, .xml (JUnit) or .html file'
    )
    Sources = @(
      '--concurrency none'
      '--report files'
    )
    Arguments = @(
      'none'
    )
    IsVariadic = $false
  }
  'catalogue index' = @{
    Commands = @()
    Options = @()
    Sources = @()
    Arguments = @()
    IsVariadic = $false
  }
  'inspect' = @{
    Commands = @()
    Options = @(
      '--strict end with exit code 2 for warnings as well as for errors'
    )
    Sources = @()
    Arguments = @(
      'files'
    )
    IsVariadic = $true
  }
  'assets' = @{
    Commands = @(
      'list List assets'
      'upload Upload assets such as fonts'
      'rename Rename an asset'
      'delete Delete assets'
    )
    Options = @()
    Sources = @()
    Arguments = @()
    IsVariadic = $false
  }
  'assets list' = @{
    Commands = @()
    Options = @(
      '--limit how many items in all'
      '--all all items, which is the default'
    )
    Sources = @(
      '--limit none'
    )
    Arguments = @()
    IsVariadic = $false
  }
  'assets upload' = @{
    Commands = @()
    Options = @(
      '--type what the files are, in the words of the service'
    )
    Sources = @(
      '--type none'
    )
    Arguments = @(
      'files'
    )
    IsVariadic = $true
  }
  'assets rename' = @{
    Commands = @()
    Options = @()
    Sources = @()
    Arguments = @(
      'ask:assets'
      'none'
    )
    IsVariadic = $false
  }
  'assets delete' = @{
    Commands = @()
    Options = @()
    Sources = @()
    Arguments = @(
      'ask:assets'
    )
    IsVariadic = $true
  }
  'domains' = @{
    Commands = @(
      'list List permitted domains'
      'get Show a permitted domain'
      'create Permit a domain'
      'update Change a permitted domain''s description'
      'delete Delete permitted domains that no reader instance uses'
    )
    Options = @()
    Sources = @()
    Arguments = @()
    IsVariadic = $false
  }
  'domains list' = @{
    Commands = @()
    Options = @(
      '--limit how many items in all'
      '--all all items, which is the default'
    )
    Sources = @(
      '--limit none'
    )
    Arguments = @()
    IsVariadic = $false
  }
  'domains get' = @{
    Commands = @()
    Options = @()
    Sources = @()
    Arguments = @(
      'ask:domains'
    )
    IsVariadic = $false
  }
  'domains create' = @{
    Commands = @()
    Options = @(
      '--description what the domain is for'
    )
    Sources = @(
      '--description none'
    )
    Arguments = @(
      'none'
    )
    IsVariadic = $false
  }
  'domains update' = @{
    Commands = @()
    Options = @(
      '--description what the domain is for'
    )
    Sources = @(
      '--description none'
    )
    Arguments = @(
      'ask:domains'
    )
    IsVariadic = $false
  }
  'domains delete' = @{
    Commands = @()
    Options = @()
    Sources = @()
    Arguments = @(
      'ask:domains'
    )
    IsVariadic = $true
  }
  'reader-instances' = @{
    Commands = @(
      'list List reader instances'
      'get Show a reader instance'
      'copy Copy a reader instance'
      'delete Delete reader instances'
    )
    Options = @()
    Sources = @()
    Arguments = @()
    IsVariadic = $false
  }
  'reader-instances list' = @{
    Commands = @()
    Options = @(
      '--limit how many items in all'
      '--all all items'
    )
    Sources = @(
      '--limit none'
    )
    Arguments = @()
    IsVariadic = $false
  }
  'reader-instances get' = @{
    Commands = @()
    Options = @()
    Sources = @()
    Arguments = @(
      'ask:reader-instances'
    )
    IsVariadic = $false
  }
  'reader-instances copy' = @{
    Commands = @()
    Options = @()
    Sources = @()
    Arguments = @(
      'ask:reader-instances'
    )
    IsVariadic = $false
  }
  'reader-instances delete' = @{
    Commands = @()
    Options = @()
    Sources = @()
    Arguments = @(
      'ask:reader-instances'
    )
    IsVariadic = $true
  }
  'reader-users' = @{
    Commands = @(
      'list List the devices and users that read publications'
      'get Show a reader user with its reading history'
    )
    Options = @()
    Sources = @()
    Arguments = @()
    IsVariadic = $false
  }
  'reader-users list' = @{
    Commands = @()
    Options = @(
      '--limit how many items in all'
      '--all all items, which is the default'
    )
    Sources = @(
      '--limit none'
    )
    Arguments = @()
    IsVariadic = $false
  }
  'reader-users get' = @{
    Commands = @()
    Options = @()
    Sources = @()
    Arguments = @(
      'ask:reader-users'
    )
    IsVariadic = $false
  }
  'analytics' = @{
    Commands = @(
      'scope Show views and readers of the whole scope'
      'popular List the most viewed publications'
      'publication Show how a publication is read'
      'activity Show a publication''s views day by day'
    )
    Options = @()
    Sources = @()
    Arguments = @()
    IsVariadic = $false
  }
  'analytics scope' = @{
    Commands = @()
    Options = @(
      '--from the first month, YYYY-MM'
      '--to the last month, YYYY-MM'
      '--granularity totals alone, or by month'
    )
    Sources = @(
      '--from none'
      '--to none'
      '--granularity words:total,month'
    )
    Arguments = @()
    IsVariadic = $false
  }
  'analytics popular' = @{
    Commands = @()
    Options = @(
      '--limit how many items in all'
      '--all all items, which is the default'
    )
    Sources = @(
      '--limit none'
    )
    Arguments = @()
    IsVariadic = $false
  }
  'analytics publication' = @{
    Commands = @()
    Options = @(
      '--from the first month, YYYY-MM'
      '--to the last month, YYYY-MM'
      '--granularity totals alone, or by month'
    )
    Sources = @(
      '--from none'
      '--to none'
      '--granularity words:total,month'
    )
    Arguments = @(
      'ask:publications'
    )
    IsVariadic = $false
  }
  'analytics activity' = @{
    Commands = @()
    Options = @(
      '--from the first day, YYYY-MM-DD'
      '--to the last day, YYYY-MM-DD'
    )
    Sources = @(
      '--from none'
      '--to none'
    )
    Arguments = @(
      'ask:publications'
    )
    IsVariadic = $false
  }
  'users' = @{
    Commands = @(
      'list List the users of the organisation'
      'delete-me Delete the user that the key belongs to'
    )
    Options = @()
    Sources = @()
    Arguments = @()
    IsVariadic = $false
  }
  'users list' = @{
    Commands = @()
    Options = @(
      '--limit how many items in all'
      '--all all items, which is the default'
      '--search only those that match a text'
    )
    Sources = @(
      '--limit none'
      '--search none'
    )
    Arguments = @()
    IsVariadic = $false
  }
  'users delete-me' = @{
    Commands = @()
    Options = @()
    Sources = @()
    Arguments = @()
    IsVariadic = $false
  }
  'apikeys' = @{
    Commands = @(
      'list List your API keys'
      'get Show an API key'
      'update Rename an API key, change its scopes, or switch it on or off'
      'delete Delete API keys'
    )
    Options = @()
    Sources = @()
    Arguments = @()
    IsVariadic = $false
  }
  'apikeys list' = @{
    Commands = @()
    Options = @(
      '--limit how many items in all'
      '--all all items, which is the default'
    )
    Sources = @(
      '--limit none'
    )
    Arguments = @()
    IsVariadic = $false
  }
  'apikeys get' = @{
    Commands = @()
    Options = @()
    Sources = @()
    Arguments = @(
      'ask:apikeys'
    )
    IsVariadic = $false
  }
  'apikeys update' = @{
    Commands = @()
    Options = @(
      '--name the name of the key'
      '--scope what it may do'
      '--status whether it can be used'
    )
    Sources = @(
      '--name none'
      '--scope words:read,write,delete'
      '--status words:active,inactive'
    )
    Arguments = @(
      'ask:apikeys'
    )
    IsVariadic = $false
  }
  'apikeys delete' = @{
    Commands = @()
    Options = @()
    Sources = @()
    Arguments = @(
      'ask:apikeys'
    )
    IsVariadic = $true
  }
  'whoami' = @{
    Commands = @()
    Options = @()
    Sources = @()
    Arguments = @()
    IsVariadic = $false
  }
  'doctor' = @{
    Commands = @()
    Options = @(
      '--session check the store that this upload session names, or - for standard input'
    )
    Sources = @(
      '--session files'
    )
    Arguments = @()
    IsVariadic = $false
  }
  'api' = @{
    Commands = @()
    Options = @(
      '--param a query parameter'
      '--field a field of the JSON body, as text; key:=value gives JSON'
      '--input the JSON body from a file, or from standard input with -'
      '--paginate follow the pages and print them as one answer; with ndjson, a line for each item'
      '--include print the status and headers on standard error first'
    )
    Sources = @(
      '--param none'
      '--field none'
      '--input files'
    )
    Arguments = @(
      'none'
      'none'
    )
    IsVariadic = $false
  }
  'profile' = @{
    Commands = @(
      'setup Set up a profile: asks for what is missing, and checks the key first'
      'list List the profiles'
      'show Show a profile, with its key masked'
      'use Set the profile that is used without --profile'
      'remove Remove a profile and its key from this machine'
    )
    Options = @()
    Sources = @()
    Arguments = @()
    IsVariadic = $false
  }
  'profile setup' = @{
    Commands = @()
    Options = @(
      '--key-command a command that prints the key, which is then not stored'
      '--allow-http let the key travel over plain http to this address'
      '--multi-value how parameters with several values travel'
      '--no-verify save without checking the key against the service'
    )
    Sources = @(
      '--key-command none'
      '--multi-value words:repeat,comma'
    )
    Arguments = @(
      'ask:profiles'
    )
    IsVariadic = $false
  }
  'profile list' = @{
    Commands = @()
    Options = @()
    Sources = @()
    Arguments = @()
    IsVariadic = $false
  }
  'profile show' = @{
    Commands = @()
    Options = @()
    Sources = @()
    Arguments = @(
      'ask:profiles'
    )
    IsVariadic = $false
  }
  'profile use' = @{
    Commands = @()
    Options = @()
    Sources = @()
    Arguments = @(
      'ask:profiles'
    )
    IsVariadic = $false
  }
  'profile remove' = @{
    Commands = @()
    Options = @()
    Sources = @()
    Arguments = @(
      'ask:profiles'
    )
    IsVariadic = $false
  }
  'sandbox' = @{
    Commands = @(
      'start Run the sandbox as a server of its own until it is interrupted'
      'status Show where the sandbox keeps its data, and its keys'
      'reset Delete everything in the sandbox and start over'
      'book Write a small EPUB to try uploads with'
      'openapi Print the service''s OpenAPI 3.1 document'
    )
    Options = @()
    Sources = @()
    Arguments = @()
    IsVariadic = $false
  }
  'sandbox start' = @{
    Commands = @()
    Options = @(
      '--port the port to listen on; a free one if it is not given'
      '--data-dir where to keep its data'
      '--processing-delay how long each processing step takes'
      '--session-life how long an upload session can be used'
      '--fault what goes wrong on purpose, with its share of the requests: reset, 503, 429, 500, cut or stall; slow takes a duration'
    )
    Sources = @(
      '--port none'
      '--data-dir folders'
      '--processing-delay none'
      '--session-life none'
      '--fault none'
    )
    Arguments = @()
    IsVariadic = $false
  }
  'sandbox status' = @{
    Commands = @()
    Options = @(
      '--data-dir where it keeps its data'
    )
    Sources = @(
      '--data-dir folders'
    )
    Arguments = @()
    IsVariadic = $false
  }
  'sandbox reset' = @{
    Commands = @()
    Options = @(
      '--data-dir where it keeps its data'
    )
    Sources = @(
      '--data-dir folders'
    )
    Arguments = @()
    IsVariadic = $false
  }
  'sandbox book' = @{
    Commands = @()
    Options = @(
      '--title the title of the book'
      '--force replace the file if there is one'
    )
    Sources = @(
      '--title none'
    )
    Arguments = @(
      'files'
    )
    IsVariadic = $false
  }
  'sandbox openapi' = @{
    Commands = @()
    Options = @()
    Sources = @()
    Arguments = @()
    IsVariadic = $false
  }
  'help' = @{
    Commands = @()
    Options = @()
    Sources = @()
    Arguments = @(
      'none'
    )
    IsVariadic = $true
  }
  'commands' = @{
    Commands = @()
    Options = @()
    Sources = @()
    Arguments = @()
    IsVariadic = $false
  }
  'completions' = @{
    Commands = @()
    Options = @()
    Sources = @()
    Arguments = @(
      'words:bash,zsh,fish,powershell'
    )
    IsVariadic = $false
  }
}
$global:PubctlTopics = @(
      'environment The environment variables that pubctl reads'
      'exit-codes What the exit code of a command says'
      'formatting How results are printed, and how to choose what is'
    )

Register-ArgumentCompleter -Native -CommandName pubctl -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)

  # Words as they would reach the program, as far as that can be told without running anything.
  $typed = @($commandAst.CommandElements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.StartOffset -lt $cursorPosition } |
    ForEach-Object {
      if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value } else { $_.Extent.Text }
    })
  $current = [string]$wordToComplete
  $before = @($typed)
  if ($current -ne '' -and $before.Count -gt 0) {
    $before = @(if ($before.Count -gt 1) { $before[0..($before.Count - 2)] })
  }

  # What stands behind a word in a list of the table.
  $find = {
    param($list, $word)
    foreach ($each in $list) {
      $text, $rest = $each -split ' ', 2
      if ($text -ceq $word) { return $rest }
    }
  }

  $root = $global:PubctlTable['']
  $at = $root
  $path = ''
  $position = 0
  $pending = $null
  $onlyArguments = $false
  $helping = $false
  foreach ($word in $before) {
    if ($pending) { $pending = $null }
    elseif ($onlyArguments) { $position++ }
    elseif ($word -ceq '--') { $onlyArguments = $true }
    elseif ($word.StartsWith('-')) { $pending = & $find ($at.Sources + $root.Sources) $word }
    elseif ($path -eq '' -and $word -ceq 'help') { $helping = $true }
    elseif (& $find $at.Commands $word) {
      $path = "$path $word".Trim()
      $at = $global:PubctlTable[$path]
    }
    else { $position++ }
  }

  $offer = {
    param($text, $description, $kind)
    if ($text.StartsWith($current, [System.StringComparison]::Ordinal)) {
      $tip = if ($description) { $description } else { $text }
      [System.Management.Automation.CompletionResult]::new($text, $text, $kind, $tip)
    }
  }
  $offerAll = {
    param($list, $kind)
    foreach ($each in $list) {
      $text, $description = $each -split ' ', 2
      & $offer $text $description $kind
    }
  }
  $values = {
    param($prefix, $source)
    if ($source.StartsWith('words:')) {
      foreach ($word in $source.Substring(6).Split(',')) { & $offer ($prefix + $word) $word 'ParameterValue' }
    } elseif ($source.StartsWith('ask:')) {
      $program = Get-Command pubctl -CommandType @('Application', 'ExternalScript') -ErrorAction SilentlyContinue | Select-Object -First 1
      if ($program) {
        foreach ($line in & $program '__complete' $source.Substring(4) @typed 2>$null) {
          $text, $description = $line -split [char]9, 2
          & $offer ($prefix + $text) $description 'ParameterValue'
        }
      }
    } elseif ($source -eq 'files' -or $source -eq 'folders') {
      foreach ($found in [System.Management.Automation.CompletionCompleters]::CompleteFilename($current.Substring($prefix.Length))) {
        if ($source -eq 'files' -or $found.ResultType -eq 'ProviderContainer') {
          [System.Management.Automation.CompletionResult]::new($prefix + $found.CompletionText, $found.ListItemText, $found.ResultType, $found.ToolTip)
        }
      }
    }
  }

  if ($pending) { & $values '' $pending }
  elseif (-not $onlyArguments -and $current -match '^(--[^=]+)=') {
    $option = $Matches[1]
    $source = & $find ($at.Sources + $root.Sources) $option
    if ($source) { & $values "$option=" $source }
  }
  elseif (-not $onlyArguments -and $current.StartsWith('-')) {
    if ($path -ne '') { & $offerAll $at.Options 'ParameterName' }
    & $offerAll $root.Options 'ParameterName'
  }
  elseif ($helping -or $at.Commands.Count -gt 0) {
    & $offerAll $at.Commands 'Command'
    if ($helping -and $path -eq '') { & $offerAll $global:PubctlTopics 'Text' }
  }
  else {
    $last = $at.Arguments.Count - 1
    if ($at.IsVariadic -and $position -gt $last) { $position = $last }
    if ($position -le $last) { & $values '' $at.Arguments[$position] }
  }
}
