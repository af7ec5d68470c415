// The folders of a system. pubctl names its own, also where there is no home folder, for which this module asks when it is loaded.
module.exports = () => {
  throw new Error('the folder is named')
}
